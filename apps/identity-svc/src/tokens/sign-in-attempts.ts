import { Problem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { createHash } from 'node:crypto';
import type { SignInSettings } from '../config';
import type { Client } from './client';
import { besideOthers } from './concurrent-attempts';
import { countAttempt, isKnownSubject, rememberKnown, takeAttemptBack } from './sign-in-attempts.sql';

const subjectOf = (kind: string, ...parts: string[]) =>
  createHash('sha256')
    .update(JSON.stringify([kind, ...parts]))
    .digest();

type Outcome<T> = { result: T } | { secondsLeft: number };

interface Limit {
  subject: Buffer;
  limit: number;
}

/** An attempt to sign in. */
export interface Attempt {
  /** Whose password is guessed; null for a secret that cannot be guessed. */
  account: string | null;
  client: Client;
}

/** A wider network may have more failures, because it may belong to several clients. */
const widening = 2;
const knownDays = 30;

/**
 * Runs `verify` unless the account or the address had too many failures in the window. Then it throws a 429
 * with `Retry-After`, even for the right password. Postgres counts for all replicas. There are three
 * counters: one account from one address (guessing), one account from anywhere (guessing from many
 * addresses), one address (trying many accounts). For IPv6 the wider networks are counted, too.
 *
 * No client can lock an account for its owner: from an address that signed in to the account within 30 days,
 * the failures from elsewhere do not count.
 *
 * An attempt is counted before its outcome is known, and reverted if it was successful or rejected. So
 * concurrent attempts may reject each other although all are right. A rejected attempt is therefore repeated
 * if a concurrent one succeeds.
 */
export async function guardSignIn<T>(
  db: Database,
  settings: SignInSettings,
  { account, client }: Attempt,
  verify: () => Promise<T>,
): Promise<T> {
  const known = account === null ? undefined : subjectOf('known', account, client.address);
  const isKnown = known !== undefined && (await isKnownSubject(db, known));
  const limits = limitsOf(settings, { account, client }, isKnown);
  const subjects = limits.map(({ subject }) => subject);
  const cleared = account === null ? null : subjects[0]!;

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
    try {
      const result = await verify();
      await takeAttemptBack(db, counted, cleared);
      return { result };
    } catch (error) {
      if (isNoGuess(error)) await takeAttemptBack(db, counted, null);
      throw error;
    }
  };
  const isRight = (outcome: Outcome<T>) => 'result' in outcome;
  const outcome = await besideOthers(subjects[0]!.toString('base64'), attempt, isRight);
  if (!('result' in outcome)) throw tooManyAttempts(outcome.secondsLeft);
  if (known !== undefined) await rememberKnown(db, known, knownDays);
  return outcome.result;
}

const mailsPerWindow = 3;

/**
 * Whether a mail for a forgotten password may be sent: at most three per window to an address. Requests from
 * one client count as attempts to sign in.
 *
 * @throws {Problem} `too_many_requests` after too many requests of the client
 */
export async function limitMails(
  db: Database,
  settings: SignInSettings,
  email: string,
  client: Client,
): Promise<boolean> {
  const limits = limitsOf(settings, { account: null, client }, false);
  const mails = { subject: subjectOf('mail', email), limit: mailsPerWindow };
  const counted = await countAttempt(
    db,
    [...limits, mails].map(({ subject }) => subject),
    settings.WindowMinutes,
  );
  const isOver = ({ subject, limit }: Limit) =>
    counted.find((count) => count.subject.equals(subject) && count.attempts > limit);
  const wait = limits.map(isOver).find((count) => count !== undefined);
  if (wait) throw tooManyAttempts(wait.secondsLeft);
  return isOver(mails) === undefined;
}

/** Nothing was verified; or the password was right, and the code of the second factor is missing. */
const isNoGuess = (error: unknown): boolean =>
  error instanceof Problem && (error.status >= 500 || error.errorCode === 'second_factor_required');

const codeWindowMinutes = 24 * 60;
const wrongCodesPerWindow = 20;

/**
 * Runs `verify` unless the user had 20 wrong codes of the second factor in a day. A client needs the password
 * to get to this check.
 *
 * @throws {Problem} `too_many_requests`, and what `verify` throws
 */
export async function guardCode(db: Database, userId: string, verify: () => Promise<void>): Promise<void> {
  const subject = subjectOf('code', userId);
  const counted = await countAttempt(db, [subject], codeWindowMinutes);
  const [count] = counted;
  if (count!.attempts > wrongCodesPerWindow) throw tooManyAttempts(count!.secondsLeft);
  await verify();
  await takeAttemptBack(db, counted, subject);
}

/** The limits of an attempt; of one on an account the first is that of account and address. */
function limitsOf(settings: SignInSettings, { account, client }: Attempt, isKnown: boolean): Limit[] {
  const networks = [client.address, ...client.widerNetworks];
  const widened = (limit: number, kind: string, ...parts: string[]) =>
    networks.map((network, at) => ({
      subject: subjectOf(kind, ...parts, network),
      limit: limit * widening ** at,
    }));
  const ofAddress = widened(settings.AttemptsPerAddress, 'address');
  if (account === null) return ofAddress;
  const ofAccount = { subject: subjectOf('account', account), limit: settings.AttemptsPerAccount };
  return [
    ...widened(settings.AttemptsPerAccountAndAddress, 'pair', account),
    ...(isKnown ? [] : [ofAccount]),
    ...ofAddress,
  ];
}

function tooManyAttempts(seconds: number): Problem {
  return new Problem('too_many_requests', {
    detail: `There were too many failed attempts; try again in ${seconds} s.`,
    headers: { 'Retry-After': String(seconds) },
  });
}
