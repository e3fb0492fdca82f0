-- Reads one answer as answer_values does.
create function answer_number(answers text, whole text, path text[]) returns numeric
language plpgsql immutable cost 1000 as $$
declare
  found json;
begin
  found := coalesce(answers::json -> whole, answers::json #> path);
  if found is null then
    return null;
  end if;
  return case when json_typeof(found) = 'number' then (found #>> '{}')::numeric end;
exception when others then
  return null;
end $$;
comment on function answer_number is 'The answer if it is a number, otherwise null';
