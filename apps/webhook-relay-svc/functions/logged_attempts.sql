-- Returns an attempt as the log keeps it, with the time at which it started. An empty array if nothing was sent.
create function logged_attempts(p_attempt text, p_started_at timestamptz) returns json[] language sql stable as $$
  select case when p_attempt is null then '{}'::json[]
    else array[('{"startedAt":"' || to_char(p_started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      || '",' || substr(p_attempt, 2))::json] end
$$;

-- Returns the newest 100 attempts, which the log keeps.
create function newest_attempts(p_attempts json[]) returns json[] language sql immutable as $$
  select p_attempts[greatest(1, cardinality(p_attempts) - 99):]
$$;
