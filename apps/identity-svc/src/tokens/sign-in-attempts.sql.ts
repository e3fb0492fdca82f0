import { statement, type Queryable } from '@canvass/postgres';

// Rows are taken in the order of their keys, so that two requests with the same keys cannot wait for each other.
const count = statement(
  'sign_in_attempts.count',
  `insert into sign_in_attempts as a (subject, attempts, window_ends_at)
   select subject, 1, now() + make_interval(mins => $2) from unnest($1::bytea[]) subject order by subject
   on conflict (subject) do update set
     attempts = case when a.window_ends_at <= now() then 1 else least(a.attempts, 1000000) + 1 end,
     window_ends_at = case when a.window_ends_at <= now() then excluded.window_ends_at else a.window_ends_at end
   returning a.subject, a.attempts, ceil(extract(epoch from a.window_ends_at - now()))::integer as "secondsLeft"`,
);
const forgive = statement(
  'sign_in_attempts.forgive',
  `with mine as (
     select subject from sign_in_attempts where subject = any($1::bytea[]) order by subject for update
   )
   update sign_in_attempts a
   set attempts = case when a.subject = $2 then 0 else greatest(a.attempts - 1, 0) end
   from mine where a.subject = mine.subject`,
);
// Skips what an attempt has locked: that row is in use again, and to wait for it while others wait here may be for ever.
const deleteEnded = statement(
  'sign_in_attempts.delete_ended',
  `delete from sign_in_attempts where subject in (
     select subject from sign_in_attempts where window_ends_at < now() for update skip locked)`,
);

export interface AttemptCount {
  subject: Buffer;
  attempts: number;
  secondsLeft: number;
}

/** Counts one attempt for each subject before its outcome is known, so that attempts side by side are counted too. */
export function countAttempt(
  db: Queryable,
  subjects: Buffer[],
  windowMinutes: number,
): Promise<AttemptCount[]> {
  return db.query<AttemptCount>(count, [subjects, windowMinutes]);
}

/** Takes the attempt back after a success, and all attempts on `cleared`. */
export async function forgiveAttempt(db: Queryable, subjects: Buffer[], cleared: Buffer): Promise<void> {
  await db.query(forgive, [subjects, cleared]);
}

export async function deleteEndedWindows(db: Queryable): Promise<void> {
  await db.query(deleteEnded);
}
