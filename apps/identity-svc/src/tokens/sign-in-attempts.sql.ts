import { statement, type Queryable } from '@canvass/postgres';

// Rows are locked in the order of their keys, so that two requests with the same keys cannot deadlock.
const count = statement<{ subjects: Buffer[]; windowMinutes: number }, AttemptCount>(
  'sign_in_attempts.count',
  `insert into sign_in_attempts as a (subject, attempts, window_ends_at)
   select subject, 1, now() + make_interval(mins => $windowMinutes) from unnest($subjects::bytea[]) subject order by subject
   on conflict (subject) do update set
     attempts = case when a.window_ends_at <= now() then 1 else least(a.attempts, 1000000) + 1 end,
     window_ends_at = case when a.window_ends_at <= now() then excluded.window_ends_at else a.window_ends_at end
   returning a.subject, a.attempts, a.window_ends_at::text as "windowEndsAt",
     ceil(extract(epoch from a.window_ends_at - now()))::integer as "secondsLeft"`,
);
// Only in the window in which it was counted.
const takeBack = statement<{ subjects: Buffer[]; windows: string[]; cleared: Buffer[] }>(
  'sign_in_attempts.take_back',
  `with mine as (
     select subject from sign_in_attempts where subject = any($subjects::bytea[]) order by subject for update
   )
   update sign_in_attempts a
   set attempts = case when a.subject = any($cleared::bytea[]) then 0 else greatest(a.attempts - 1, 0) end
   from mine join unnest($subjects::bytea[], $windows::timestamptz[]) as counted (subject, window_ends_at) using (subject)
   where a.subject = mine.subject and a.window_ends_at = counted.window_ends_at`,
);
const remember = statement<{ subjects: Buffer[]; days: number }>(
  'sign_in_attempts.remember',
  `insert into sign_in_attempts as a (subject, attempts, window_ends_at)
   select subject, 0, now() + make_interval(days => $days) from unnest($subjects::bytea[]) subject order by subject
   on conflict (subject) do update set window_ends_at = excluded.window_ends_at
     where a.window_ends_at < excluded.window_ends_at - interval '1 hour'`,
);
const known = statement<{ subjects: Buffer[] }, { subject: Buffer }>(
  'sign_in_attempts.known',
  'select subject from sign_in_attempts where subject = any($subjects::bytea[]) and window_ends_at > now()',
);
// Skips rows that an attempt has locked: they are in use again, and waiting for them could deadlock.
const deleteEnded = statement(
  'sign_in_attempts.delete_ended',
  `delete from sign_in_attempts where subject in (
     select subject from sign_in_attempts where window_ends_at < now() for update skip locked)`,
);

export interface AttemptCount {
  subject: Buffer;
  attempts: number;
  /** The time in the format of the database, to the microsecond. */
  windowEndsAt: string;
  secondsLeft: number;
}

/** Counts one attempt per subject before its outcome is known, so that concurrent attempts count, too. */
export function countAttempt(
  db: Queryable,
  subjects: Buffer[],
  windowMinutes: number,
): Promise<AttemptCount[]> {
  return db.query(count({ subjects, windowMinutes }));
}

/** Reverts a counted attempt, and all attempts of the subjects in `cleared`. */
export async function takeAttemptBack(
  db: Queryable,
  counted: readonly AttemptCount[],
  cleared: Buffer[],
): Promise<void> {
  const subjects = counted.map(({ subject }) => subject);
  const windows = counted.map(({ windowEndsAt }) => windowEndsAt);
  await db.query(takeBack({ subjects, windows, cleared }));
}

export async function deleteEndedWindows(db: Queryable): Promise<void> {
  await db.query(deleteEnded());
}

/** Remembers an address from which accounts were used. Its rows count nothing. */
export async function rememberKnown(db: Queryable, subjects: Buffer[], days: number): Promise<void> {
  await db.query(remember({ subjects, days }));
}

/** Returns those of the subjects that were remembered. */
export async function knownSubjects(db: Queryable, subjects: Buffer[]): Promise<Buffer[]> {
  return (await db.query(known({ subjects }))).map(({ subject }) => subject);
}
