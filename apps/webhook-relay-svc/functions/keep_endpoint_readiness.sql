-- Derives `is_ready` and `ready_at` from the other columns of an endpoint, so that no statement can forget them. It is ready if
-- it has a due delivery, a free slot and a send slot, its circuit is closed, and it is neither disabled nor removed. Claims
-- take endpoints from that queue, so their cost depends on what they claim, and not on how many endpoints or deliveries wait.
-- An endpoint keeps its place while it stays ready, unless a claim moves it to the end of the line.
create function keep_endpoint_readiness() returns trigger language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_ready_at timestamptz;
begin
  if new.first_due is not null and new.disabled_at is null and new.removed_at is null
     and new.in_flight < least(new.slots, new.max_in_flight) then
    v_ready_at := greatest(new.first_due, new.resume_at);
    if new.max_per_second is not null and new.next_send_at is not null then
      v_ready_at := greatest(v_ready_at, least(new.next_send_at, v_now + interval '5 seconds') - interval '1 second');
    end if;
  end if;
  if v_ready_at <= v_now then
    if tg_op = 'INSERT' or not old.is_ready then new.ready_at := v_now; end if;
    new.is_ready := true;
  else
    new.ready_at := v_ready_at;
    new.is_ready := false;
  end if;
  return new;
end $$;

create trigger endpoint_readiness before insert or update on endpoints
  for each row execute function keep_endpoint_readiness();
