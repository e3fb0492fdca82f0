import { Problem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { createHash } from 'node:crypto';
import type { SignInSettings } from '../config';
import { countAttempt, forgiveAttempt } from './sign-in-attempts.sql';

const subjectOf = (kind: string, ...parts: string[]) =>
  createHash('sha256')
    .update(JSON.stringify([kind, ...parts]))
    .digest();

/**
 * Runs `verify` unless its account or its address had too many failures in the window; then 429 with `Retry-After`,
 * also for the right password. Counted in Postgres, so for all copies of the service together. Three counters: one
 * account from one address (guessing), one account from anywhere (guessing from many), one address (trying many).
 */
export async function guardSignIn<T>(
  db: Database,
  settings: SignInSettings,
  { account, address }: { account: string; address: string },
  verify: () => Promise<T>,
): Promise<T> {
  const pair = subjectOf('pair', account, address);
  const limits = [
    { subject: pair, limit: settings.AttemptsPerAccountAndAddress },
    { subject: subjectOf('account', account), limit: settings.AttemptsPerAccount },
    { subject: subjectOf('address', address), limit: settings.AttemptsPerAddress },
  ];
  const subjects = limits.map(({ subject }) => subject);
  const counts = await countAttempt(db, subjects, settings.WindowMinutes);
  const wait = limits.flatMap(({ subject, limit }) =>
    counts
      .filter((count) => count.subject.equals(subject) && count.attempts > limit)
      .map((count) => count.secondsLeft),
  );
  if (wait.length > 0) throw tooManyAttempts(Math.max(1, ...wait));
  const result = await verify();
  await forgiveAttempt(db, subjects, pair);
  return result;
}

function tooManyAttempts(seconds: number): Problem {
  return new Problem('too_many_requests', {
    detail: `There were too many failed attempts; try again in ${seconds} s.`,
    headers: { 'Retry-After': String(seconds) },
  });
}
