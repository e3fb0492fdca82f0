-- Returns at most `p_most` tenants with a ready endpoint, in the order of their ids: those after `p_cursor`, then those up to
-- it. Tenants in `p_full` are left out. One step in the index for each tenant, however many endpoints they have.
create function next_ready_tenants(p_cursor bigint, p_most integer, p_floor timestamptz, p_full bigint[])
returns bigint[] language plpgsql stable set enable_sort = off set enable_incremental_sort = off as $$
declare
  v_tenants bigint[] := '{}';
  v_tenant bigint := p_cursor;
  v_wrapped boolean := false;
begin
  while cardinality(v_tenants) < p_most loop
    select e.tenant_id into v_tenant from endpoints e
    where e.is_ready and e.tenant_id > v_tenant and e.ready_at >= p_floor and e.tenant_id <> all (p_full)
    order by e.tenant_id, e.ready_at limit 1;
    if v_tenant is null then
      exit when v_wrapped;
      v_wrapped := true;
      v_tenant := -1;
    else
      exit when v_wrapped and v_tenant > p_cursor;
      v_tenants := v_tenants || v_tenant;
    end if;
  end loop;
  return v_tenants;
end $$;
