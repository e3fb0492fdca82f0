-- Reads one answer of the text of all answers, for filters: the member `whole`, or the one at `path`. Texts that jsonb rejects
-- (U+0000, lone surrogates, great depth) have no answers instead of failing the list for all submissions.
create function answer_values(answers text, whole text, path text[]) returns text[]
language plpgsql immutable cost 1000 as $$
declare
  found json;
begin
  found := coalesce(answers::json -> whole, answers::json #> path);
  if found is null then
    return null;
  end if;
  return case json_typeof(found)
    when 'array' then nullif(array(
      select e.value from json_array_elements_text(found) e where e.value is not null), '{}')
    when 'object' then null
    when 'null' then null
    else array[found #>> '{}'] end;
exception when others then
  return null;
end $$;
comment on function answer_values is 'The answer as text, each choice of several; null for none and for an object';
