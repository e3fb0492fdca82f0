-- What the summary reads with one pass over all members, where that gives what answer_values and answer_number give for each: an
-- object without duplicate members and without a member of one of the names, which those functions would read before a path.
create function plain_answers(answers text, names text[]) returns json
language plpgsql immutable cost 1000 as $$
declare
  found json := answers;
begin
  if answers is json object with unique keys
    and not exists (select from json_object_keys(found) k where k = any (names)) then
    return found;
  end if;
  return null;
exception when others then
  return null;
end $$;
comment on function plain_answers is 'The answers as an object that can be read member by member; null for odd answers';
