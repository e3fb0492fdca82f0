-- Counts the submissions of a form and returns how many there are. It waits for creates that took a place, and each
-- statement sees what was committed before it, so that none is missed. Counted within the last seconds, it stays.
create function count_places(tenant bigint, form bigint, after interval) returns integer
language plpgsql as $$
declare
  place form_places;
begin
  insert into form_places (tenant_id, form_id, taken, counted_at) values (tenant, form, 0, '-infinity')
    on conflict do nothing;
  select * into place from form_places p where p.tenant_id = tenant and p.form_id = form for update;
  if place.counted_at > now() - after then
    return place.taken;
  end if;
  update form_places p set counted_at = now(), taken = (
    select count(*) from submissions s
    where s.tenant_id = tenant and s.form_id = form and s.deleted_at is null and not s.is_test_submission)
  where p.tenant_id = tenant and p.form_id = form
  returning p.taken into place.taken;
  return place.taken;
end $$;
