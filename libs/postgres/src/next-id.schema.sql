-- 64-bit ids that grow with time: milliseconds since 2026-01-01 << 22 | origin << 18 | sequence mod 2^18. The clock is
-- that of the database. The origin (0–7) keeps the ids of two services apart.

create sequence next_id_seq;

-- Twice the last known time, which lags by up to 200 ms. While the clock is behind it, it is odd and 400 ms later: later
-- than any id.
create sequence next_id_clock minvalue 0;

-- Keeps ids from repeating when the clock steps back: ids of that period have the time of next_id_clock, one millisecond
-- more for each 2^18 of the sequence, and the origin plus 8. The clock is read after the known time; read before it, a
-- concurrent call could advance the known time meanwhile, and the clock would seem to step back. `moment` is for tests.
create function next_id_after(moment bigint, origin bigint, ids regclass, clock regclass) returns bigint
language plpgsql volatile as $$
declare
  known bigint := coalesce(pg_sequence_last_value(clock), 0);
  now_ms bigint := coalesce(moment, (extract(epoch from clock_timestamp()) * 1000)::bigint - 1767225600000);
  seq bigint := nextval(ids);
begin
  if known % 2 = 0 and now_ms < (known >> 1) then
    known := setval(clock, known + 801);
  end if;
  if known % 2 = 1 and now_ms <= (known >> 1) + (seq >> 18) then
    return (((known >> 1) + (seq >> 18)) << 22) | ((origin + 8) << 18) | (seq & 262143);
  end if;
  if known % 2 = 1 or now_ms >= (known >> 1) + 200 then
    perform setval(clock, now_ms * 2);
  end if;
  return (now_ms << 22) | (origin << 18) | (seq & 262143);
end $$;

-- A standard body binds the names when it is created, so no search_path can redirect it.
create function next_id() returns bigint language sql volatile
begin atomic
  select next_id_after(null, :origin, 'next_id_seq'::regclass, 'next_id_clock'::regclass);
end;
