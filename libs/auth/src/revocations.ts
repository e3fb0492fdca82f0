import { createWakeableSleep, every, type Loop } from '@canvass/async';
import { invalidToken } from './challenge';
import { fetchJson, type Fetch } from './jwks/fetch-json';
import { versionOf } from './principal';
import type { OwnProvider } from './settings';
import { isRecord } from './token-text';
import type { Claims } from './verify-claims';

/** One entry of the revocation feed of identity-svc. */
export interface Revocation {
  /** Kind of those whose tokens are revoked: a user, a service account, one session, or one signing key. */
  kind: 'user' | 'service' | 'session' | 'key';
  subject: string;
  /** Tokens of an older version (`ver`) are revoked; null: all tokens. */
  minVersion: number | null;
  /** ISO 8601; after it nothing can be valid any more that carries an older version. */
  expiresAt: string;
}

export interface Revocations extends Pick<Loop, 'stop'> {
  /**
   * Begins to read. Resolves when the feed was read for the first time, at the latest after 5 s: a service
   * that has just started knows the revoked tokens before it takes requests, but it can start without
   * identity-svc.
   */
  start(): Promise<void>;
  /** @throws {Problem} 401 `invalid_token` for a revoked token of the own provider */
  assertNotRevoked(claims: Claims, keyId: string | undefined): void;
  /** Returns whether the feed was read within the grace period. False before the first time. */
  isCurrent(): boolean;
  /** Degraded while privileged permissions are withheld. The shape of a health check of service-kit. */
  readonly check: RevocationsCheck;
}

export interface RevocationsCheck {
  name: string;
  tags: string[];
  check(): Promise<{
    status: 'Healthy' | 'Degraded';
    description: string | null;
    data: Record<string, unknown>;
  }>;
}

export interface RevocationsOptions {
  /** Creates a token for a call of another service. */
  serviceToken(): string;
  fetch?: Fetch;
  /** Milliseconds since 1970. */
  now?: () => number;
  onWarning: (message: string, details: Record<string, unknown>) => void;
  /** Called for each entry that is read; some repeat, and all of them at each start. */
  onEntry?: (revocation: Revocation) => void;
}

/** A revocation takes effect within this time plus the duration of a request. */
const pollMs = 2_000;
/** The pause after a failed read before the first one that succeeds. */
const firstPollMs = 200;
const maxStartMs = 5_000;
/** Accounts stay for years, so there may be many entries, of some 150 bytes each. */
const sweepMs = 60_000;

/**
 * The revoked tokens of the own provider, kept in memory until they expire anyway. Reads the feed every 2 s
 * from `start` to `stop`. While the feed is unreachable, the known revocations stay in effect. Without an own
 * provider nothing is read.
 */
export function createRevocations(
  own: Pick<OwnProvider, 'RevocationsUri' | 'RevocationGraceSeconds'> | undefined,
  options: RevocationsOptions,
): Revocations {
  const { serviceToken, now = Date.now, onWarning } = options;
  const fetch: Fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const revoked = new Map<string, { minVersion: number; expiresAt: number }>();
  let since = '0';
  let readAt = -Infinity;
  let sweptAt = -Infinity;
  const firstRead = createWakeableSleep();

  async function read({ RevocationsUri: url }: Pick<OwnProvider, 'RevocationsUri'>): Promise<number | void> {
    const headers = { authorization: `Bearer ${serviceToken()}` };
    const page = pageOf(await fetchJson(fetch, `${url}?since=${encodeURIComponent(since)}`, headers));
    for (const entry of page.revocations) {
      const { kind, subject, minVersion, expiresAt } = entry;
      options.onEntry?.(entry);
      revoked.set(keyOf(kind, subject), {
        minVersion: minVersion ?? Infinity,
        expiresAt: Date.parse(expiresAt),
      });
    }
    since = page.next;
    if (page.hasMore) return 0;
    readAt = now();
    firstRead.wake();
    if (readAt - sweptAt < sweepMs) return;
    sweptAt = readAt;
    for (const [key, { expiresAt }] of revoked) if (expiresAt < readAt) revoked.delete(key);
  }

  const loop = every(pollMs, async () => (own === undefined ? undefined : read(own)), {
    atOnce: true,
    onError: (error) => {
      onWarning('failed to read the revocations of access tokens', {
        reason: error instanceof Error ? error.message : String(error),
      });
      return readAt === -Infinity ? firstPollMs : pollMs;
    },
  });
  const endedBefore = (kind: Revocation['kind'], subject: unknown): number =>
    revoked.get(keyOf(kind, String(subject)))?.minVersion ?? 0;

  const isCurrent = () => own === undefined || now() - readAt <= own.RevocationGraceSeconds * 1000;

  return {
    async start() {
      loop.start();
      if (own !== undefined) await firstRead.sleep(maxStartMs);
    },
    stop() {
      firstRead.wake();
      return loop.stop();
    },
    isCurrent,
    check: {
      name: 'revocations',
      tags: [],
      check: () =>
        Promise.resolve({
          status: isCurrent() ? 'Healthy' : 'Degraded',
          description: isCurrent()
            ? null
            : 'Revoked tokens cannot be read from identity-svc; privileged permissions are withheld.',
          data: { entries: revoked.size },
        }),
    },
    assertNotRevoked({ kind, sub, sid, ver }, keyId) {
      const minVersion = Math.max(
        endedBefore(kind === 'service' ? 'service' : 'user', sub),
        endedBefore('session', sid),
        endedBefore('key', keyId),
      );
      if (versionOf({ ver }) < minVersion) throw invalidToken('The token was revoked.');
    },
  };
}

const keyOf = (kind: Revocation['kind'], subject: string): string => `${kind} ${subject}`;

interface Page {
  revocations: Revocation[];
  next: string;
  hasMore: boolean;
}

/** @throws {Error} for anything but a page of the feed */
function pageOf(document: unknown): Page {
  const { revocations, next, hasMore } = isRecord(document) ? document : {};
  const isPage = Array.isArray(revocations) && revocations.every(isRevocation) && typeof next === 'string';
  if (!isPage) throw new Error('the response is not a page of revocations');
  return { revocations, next, hasMore: hasMore === true };
}

const isRevocation = (value: unknown): value is Revocation =>
  isRecord(value) &&
  typeof value['kind'] === 'string' &&
  typeof value['subject'] === 'string' &&
  (value['minVersion'] === null || typeof value['minVersion'] === 'number') &&
  !Number.isNaN(Date.parse(String(value['expiresAt'])));
