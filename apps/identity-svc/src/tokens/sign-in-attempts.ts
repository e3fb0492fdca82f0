import { Problem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { createHash } from 'node:crypto';
import type { SignInSettings } from '../config';
import type { Client } from './client';
import { besideOthers } from './concurrent-attempts';
import { countAttempt, knownSubjects, rememberKnown, takeAttemptBack } from './sign-in-attempts.sql';

const subjectOf = (kind: string, ...parts: string[]) =>
  createHash('sha256')
    .update(JSON.stringify([kind, ...parts]))
    .digest();

/** An account, as attempts are counted. */
export const accountKey = ({ tenantId, id }: { tenantId: string; id: string }): string =>
  `user:${tenantId}:${id}`;

/** The account that a sign-in names, as attempts are counted: the same whether the address exists or not. */
export const nameKey = (email: string, tenant?: string): string => JSON.stringify([email, tenant ?? null]);

interface Limit {
  subject: Buffer;
  limit: number;
}

/** An attempt to sign in. */
export interface Attempt {
  /** Too many failures of one of these reject the attempt. Empty for a secret that cannot be guessed. */
  names: readonly string[];
  /**
   * The accounts whose passwords are compared. Too many failures of one exclude it and are not shown: the
   * caller may not know that there is such an account.
   */
  accounts?: readonly string[];
  client: Client;
}

/** The facts shown by an attempt that was no guess. */
export type Verdict<T> = {
  /** The accounts whose secrets were right; the attempt is a failed one of the others. */
  right?: readonly string[];
} & ({ result: T } | { problem: Problem });

type Outcome<T> = Verdict<T> | { secondsLeft: number };

/** A wider network may have more failures, because it may belong to several clients. */
const widening = 2;
const knownDays = 30;

/**
 * Runs `verify` unless a name or the address of the client had too many failures in the window. Then it
 * throws a 429 with `Retry-After`, even for the right password. Postgres counts for all replicas. Names and
 * accounts have two counters each: from one address (guessing), from anywhere (guessing from many addresses).
 * The address has one (trying many accounts). For IPv6 the wider networks are counted, too.
 *
 * No client can lock an account for its owner: from an address that signed in to the account within 30 days,
 * the failures from elsewhere do not count.
 *
 * An attempt is counted before its outcome is known, and reverted where it was successful or rejected. So
 * concurrent attempts may reject each other although all are right. A rejected attempt is therefore repeated
 * if a concurrent one succeeds.
 */
export async function guardSignIn<T>(
  db: Database,
  settings: SignInSettings,
  { names, accounts = [], client }: Attempt,
  verify: (isOpen: (account: string) => boolean) => Promise<Verdict<T>>,
): Promise<T> {
  const knownOf = (key: string) => subjectOf('known', key, client.address);
  const known = await knownSubjects(db, [...names, ...accounts].map(knownOf));
  const isKnown = (key: string) => known.some((subject) => subject.equals(knownOf(key)));
  const limits = (key: string) => limitsOf(settings, key, client, isKnown(key));
  const rejecting = [...names.flatMap(limits), ...addressLimits(settings, client)];
  const all = [...rejecting, ...accounts.flatMap(limits)].map(({ subject }) => subject);

  const attempt = async (): Promise<Outcome<T>> => {
    const counted = await countAttempt(db, all, settings.WindowMinutes);
    const over = (of: Limit[]) =>
      counted.filter((count) =>
        of.some(({ subject, limit }) => count.subject.equals(subject) && count.attempts > limit),
      );
    const subjectsOf = (keys: readonly string[]) => keys.flatMap(limits).map(({ subject }) => subject);
    /** Reverts the count of all subjects but those, and the earlier ones of what is cleared. */
    const takeBack = (stays: Buffer[], cleared: readonly string[] = []) => {
      const others = counted.filter(({ subject }) => !stays.some((one) => one.equals(subject)));
      const pairs = cleared.map((key) => limits(key)[0]!.subject);
      return takeAttemptBack(db, others, pairs);
    };
    const wait = over(rejecting).map(({ secondsLeft }) => secondsLeft);
    if (wait.length > 0) {
      await takeBack([]);
      return { secondsLeft: Math.max(1, ...wait) };
    }
    const open = accounts.filter((account) => over(limits(account)).length === 0);
    try {
      const verdict = await verify((account) => open.includes(account));
      const right = verdict.right ?? [];
      const failed = open.filter((account) => !right.includes(account));
      await takeBack(subjectsOf(failed), 'result' in verdict ? [...names, ...right] : []);
      return verdict;
    } catch (error) {
      const nothingVerified = error instanceof Problem && error.status >= 500;
      // An attempt on an account that was excluded was none.
      await takeBack(
        nothingVerified ? [] : [...rejecting.map(({ subject }) => subject), ...subjectsOf(open)],
      );
      throw error;
    }
  };
  const outcome = await besideOthers(all[0]!.toString('base64'), attempt, (made) => !('secondsLeft' in made));
  if ('secondsLeft' in outcome) throw tooManyAttempts(outcome.secondsLeft);
  if ('problem' in outcome) throw outcome.problem;
  const remembered = [...names, ...(outcome.right ?? [])].map(knownOf);
  if (remembered.length > 0) await rememberKnown(db, remembered, knownDays);
  return outcome.result;
}

/** Counts a request of an anonymous client like a failed sign-in. @throws {Problem} `too_many_requests` */
export async function limitRequests(db: Database, settings: SignInSettings, client: Client): Promise<void> {
  for (const { subject, limit } of addressLimits(settings, client)) {
    const [count] = await countAttempt(db, [subject], settings.WindowMinutes);
    if (count!.attempts > limit) throw tooManyAttempts(count!.secondsLeft);
  }
}

const mailsPerWindow = 3;

/**
 * Counts a mail with a link: at most three per window to an address of a tenant.
 *
 * @throws {Problem} `too_many_requests`
 */
export async function limitMails(
  db: Database,
  settings: SignInSettings,
  { tenantId, email }: { tenantId: string; email: string },
): Promise<void> {
  const [count] = await countAttempt(db, [subjectOf('mail', tenantId, email)], settings.WindowMinutes);
  if (count!.attempts <= mailsPerWindow) return;
  throw new Problem('too_many_requests', {
    detail: `There were too many mails to this user; try again in ${count!.secondsLeft} s.`,
    headers: { 'Retry-After': String(count!.secondsLeft) },
  });
}

const codeWindowMinutes = 24 * 60;
const wrongCodesPerWindow = 20;

/**
 * Runs `verify` unless the user had 20 wrong codes of the second factor in a day. A client needs the password
 * to get to this check. Returns what `verify` returns: whether the code is right.
 *
 * @throws {Problem} `too_many_requests`, and what `verify` throws
 */
export async function guardCode(
  db: Database,
  account: string,
  verify: () => Promise<boolean>,
): Promise<boolean> {
  const subject = subjectOf('code', account);
  const counted = await countAttempt(db, [subject], codeWindowMinutes);
  const [count] = counted;
  if (count!.attempts > wrongCodesPerWindow) throw tooManyAttempts(count!.secondsLeft);
  const isRight = await verify();
  if (isRight) await takeAttemptBack(db, counted, [subject]);
  return isRight;
}

const networksOf = (client: Client) => [client.address, ...client.widerNetworks];

/** The limits of a name or an account; the first is that of the address of the client. */
const limitsOf = (settings: SignInSettings, key: string, client: Client, isKnown: boolean): Limit[] => [
  ...networksOf(client).map((network, at) => ({
    subject: subjectOf('pair', key, network),
    limit: settings.AttemptsPerAccountAndAddress * widening ** at,
  })),
  ...(isKnown ? [] : [{ subject: subjectOf('account', key), limit: settings.AttemptsPerAccount }]),
];

const addressLimits = (settings: SignInSettings, client: Client): Limit[] =>
  networksOf(client).map((network, at) => ({
    subject: subjectOf('address', network),
    limit: settings.AttemptsPerAddress * widening ** at,
  }));

function tooManyAttempts(seconds: number): Problem {
  return new Problem('too_many_requests', {
    detail: `There were too many failed attempts; try again in ${seconds} s.`,
    headers: { 'Retry-After': String(seconds) },
  });
}
