import { Problem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { createHash } from 'node:crypto';
import type { SignInSettings } from '../config';
import { besideOthers } from './concurrent-attempts';
import { countAttempt, takeAttemptBack } from './sign-in-attempts.sql';

const subjectOf = (kind: string, ...parts: string[]) =>
  createHash('sha256')
    .update(JSON.stringify([kind, ...parts]))
    .digest();

type Outcome<T> = { result: T } | { secondsLeft: number };

/**
 * Runs `verify` unless the account or the address had too many failures in the window. Then it throws a 429
 * with `Retry-After`, even for the right password. Postgres counts for all replicas. There are three
 * counters: one account from one address (guessing), one account from anywhere (guessing from many
 * addresses), one address (trying many accounts).
 *
 * An attempt is counted before its outcome is known, and reverted if it was successful or rejected. So
 * concurrent attempts may reject each other although all are right. A rejected attempt is therefore repeated
 * if a concurrent one succeeds.
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

  const attempt = async (): Promise<Outcome<T>> => {
    const counted = await countAttempt(db, subjects, settings.WindowMinutes);
    const wait = limits.flatMap(({ subject, limit }) =>
      counted
        .filter((count) => count.subject.equals(subject) && count.attempts > limit)
        .map((count) => count.secondsLeft),
    );
    if (wait.length > 0) {
      await takeAttemptBack(db, counted, null);
      return { secondsLeft: Math.max(1, ...wait) };
    }
    const result = await verify();
    await takeAttemptBack(db, counted, pair);
    return { result };
  };
  const isRight = (outcome: Outcome<T>) => 'result' in outcome;
  const outcome = await besideOthers(pair.toString('base64'), attempt, isRight);
  if ('result' in outcome) return outcome.result;
  throw tooManyAttempts(outcome.secondsLeft);
}

function tooManyAttempts(seconds: number): Problem {
  return new Problem('too_many_requests', {
    detail: `There were too many failed attempts; try again in ${seconds} s.`,
    headers: { 'Retry-After': String(seconds) },
  });
}
