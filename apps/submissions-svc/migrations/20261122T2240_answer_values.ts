import type { Migration } from '@canvass/postgres';

/**
 * `answer_values` and `answer_number` read one answer of the text of all answers, for filters. The answer is
 * the member `whole`, or the one at `path`. Texts that jsonb rejects (U+0000, lone surrogates, great depth)
 * have no answers instead of failing the list for all submissions.
 */
const answer = (found: string) => `
  declare
    found json;
  begin
    found := coalesce(answers::json -> whole, answers::json #> path);
    if found is null then
      return null;
    end if;
    ${found}
  exception when others then
    return null;
  end`;

export const answerValues: Migration = {
  name: '20261122T2240_answer_values',
  async up(knex) {
    await knex.raw(`
      create function answer_values(answers text, whole text, path text[]) returns text[]
      language plpgsql immutable cost 1000 as $$ ${answer(`
    return case json_typeof(found)
      when 'array' then nullif(array(
        select e.value from json_array_elements_text(found) e where e.value is not null), '{}')
      when 'object' then null
      when 'null' then null
      else array[found #>> '{}'] end;`)} $$;
      comment on function answer_values is 'The answer as text, each choice of several; null for none and for an object';

      create function answer_number(answers text, whole text, path text[]) returns numeric
      language plpgsql immutable cost 1000 as $$ ${answer(`
    return case when json_typeof(found) = 'number' then (found #>> '{}')::numeric end;`)} $$;
      comment on function answer_number is 'The answer if it is a number, otherwise null';`);
  },
  async down(knex) {
    await knex.raw(`
      drop function answer_number(text, text, text[]);
      drop function answer_values(text, text, text[])`);
  },
};
