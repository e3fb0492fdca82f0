-- A time as the API writes it: ISO 8601 UTC with milliseconds.
create function api_time(t timestamptz) returns text language sql stable
  return to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
