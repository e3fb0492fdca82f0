-- Returns the first free send slot of an endpoint, the time between slots, and how many lie within a second of `soonest`.
-- Slots are five per cent further apart than the rate needs, so that slots used up to 50 ms late never exceed the rate plus
-- one in any second. At most five seconds ahead, so that a database whose clock runs backwards stops no endpoint for longer.
create function send_slots(max_per_second integer, next_send_at timestamptz, soonest timestamptz)
returns table (first_slot timestamptz, apart interval, free_slots integer) language sql stable as $$
  select first_slot, apart,
         case when apart is null then 2147483647
              else greatest(0, 1 + floor(extract(epoch from $3 + interval '1 second' - first_slot)
                                         / extract(epoch from apart)))::integer end
  from (select case when $1 is not null then least(greatest($3, $2), $3 + interval '5 seconds') end as first_slot,
               interval '1.05 seconds' / $1 as apart) slot
$$;
