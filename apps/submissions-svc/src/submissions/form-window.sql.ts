/** SQL of the times of a form: whether it is before or after them, and the times as the API has them. */
export const windowOf = (form: string): string =>
  `coalesce(${form}.opens_at > now(), false) as is_before, coalesce(${form}.closes_at <= now(), false) as is_after,
    api_time(${form}.opens_at) as "opensAt", api_time(${form}.closes_at) as "closesAt"`;

/** SQL condition: unfinished submissions of a form may be continued. Needs `$graceMinutes`. */
export const mayContinue = (form: string): string =>
  `(${form}.closes_at is null or now() < ${form}.closes_at + make_interval(mins => $graceMinutes))`;
