import { bearerToken } from '@canvass/auth';
import { Problem } from '@canvass/errors';
import { networksOf } from '@canvass/service-kit';
import type { Redis } from 'ioredis';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RateLimitSettings } from '../config';
import { forwardedFor, type HeaderList } from '../edge';
import type { Route } from '../routing';
import type { AccountOf } from './accounts';
import { createRequestLimiter, type CountRequest, type QuotaState } from './request-limiter';

export const limitKinds = ['address', 'account', 'formToken', 'anonymousCreate', 'anonymousSave'] as const;
export type LimitKind = (typeof limitKinds)[number];

interface Verdict {
  /** `RateLimit-*` of the limit with the fewest requests left. */
  headers: HeaderList;
  refusal: Problem | null;
}

export interface Limits {
  /**
   * Counts a request. Waits for Redis, if configured, and for the keys of a token's issuer. Never rejects.
   */
  admit(request: IncomingMessage, route: LimitedRoute): Promise<Verdict>;
}

type Networks = ReturnType<typeof networksOf>;
type CountAddress = (networks: Networks) => Promise<QuotaState>;
type LimitedRoute = Pick<Route, 'access' | 'takesAnswers'>;

export interface LimitsDeps {
  settings: RateLimitSettings;
  trustedHops: number;
  /** Null: this process counts alone. */
  redis: Redis | null;
  accountOf: AccountOf;
  onRefused(kind: LimitKind): void;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');
const subjects: Record<LimitKind, string> = {
  address: 'this address',
  account: 'this account',
  formToken: 'this form token',
  anonymousCreate: 'this address without a token',
  anonymousSave: 'this address without a token',
};

/**
 * The limits by address, then by account or form token, or without a token that of anonymous answers; a
 * request that one refuses is not counted by the next.
 */
export function createLimits({ settings, trustedHops, redis, accountOf, onRefused }: LimitsDeps): Limits {
  const limiterOf = (name: LimitKind, limit: number): CountRequest | null =>
    limit === 0
      ? null
      : createRequestLimiter(
          { name, limit, windowSeconds: settings.WindowSeconds, maxKeys: settings.MostKeys },
          redis,
        );
  /**
   * Counts for each network of an address, a wider one twice as many requests; what a network refuses is not
   * counted for the wider ones. The state is that with the fewest requests left.
   */
  const limiterOfAddress = (name: LimitKind, limit: number): CountAddress | null => {
    if (limit === 0) return null;
    const limiters = [limit, limit * 2, limit * 4].map((each) => limiterOf(name, each)!);
    return async (networks) => {
      let nearest = await limiters[0]!(sha256(networks[0]));
      for (let at = 1; at < networks.length && nearest.isAdmitted; at += 1) {
        const state = await limiters[at]!(sha256(networks[at]!));
        if (state.remaining < nearest.remaining || !state.isAdmitted) nearest = state;
      }
      return nearest;
    };
  };
  const byAddress = limiterOfAddress('address', settings.PerAddress);
  const byAccount = limiterOf('account', settings.PerAccount);
  const byFormToken = limiterOf('formToken', settings.PerFormToken);
  const anonymousCreates = limiterOfAddress('anonymousCreate', settings.AnonymousCreates);
  const anonymousSaves = limiterOfAddress('anonymousSave', settings.AnonymousSaves);

  /** Counts an answer without a token. Each of them is stored and published. */
  async function countAnonymous({ method }: IncomingMessage, client: Networks): Promise<Counted | null> {
    if (method === 'POST')
      return anonymousCreates && { kind: 'anonymousCreate', state: await anonymousCreates(client) };
    if (method === 'PATCH' || method === 'PUT')
      return anonymousSaves && { kind: 'anonymousSave', state: await anonymousSaves(client) };
    return null;
  }

  /** Counts for the account, form token or anonymous answer of a request; null if none is limited. */
  async function countCaller(
    request: IncomingMessage,
    route: LimitedRoute,
    client: Networks,
  ): Promise<Counted | null> {
    const { authorization } = request.headers;
    const token = tokenOf(authorization);
    if (authorization === undefined || token === null)
      return route.takesAnswers === true ? countAnonymous(request, client) : null;
    const digest = sha256(token);
    if (route.access === 'form-access token')
      return byFormToken && { kind: 'formToken', state: await byFormToken(digest) };
    if (byAccount === null) return null;
    const account = await accountOf(authorization, digest);
    return account === null ? null : { kind: 'account', state: await byAccount(account) };
  }

  function verdictOf({ kind, state }: Counted): Verdict {
    if (state.isAdmitted) return { headers: headersOf(state), refusal: null };
    onRefused(kind);
    return { headers: headersOf(state), refusal: refusalOf(subjects[kind], state) };
  }

  return {
    async admit(request, route) {
      const client = networksOf(forwardedFor(request, trustedHops)[0]!);
      const address: Counted | null = byAddress && { kind: 'address', state: await byAddress(client) };
      if (address?.state.isAdmitted === false) return verdictOf(address);
      const caller = await countCaller(request, route, client);
      if (address === null || caller === null) {
        const counted = caller ?? address;
        return counted === null ? { headers: [], refusal: null } : verdictOf(counted);
      }
      const isAddressNearer = caller.state.isAdmitted && address.state.remaining < caller.state.remaining;
      return verdictOf(isAddressNearer ? address : caller);
    },
  };
}

interface Counted {
  kind: LimitKind;
  state: QuotaState;
}

/** The bearer token as the services read it; null for a request without one. */
function tokenOf(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  try {
    return bearerToken(authorization);
  } catch {
    return null; // another scheme, or a token that its service will refuse
  }
}

const secondsOf = ({ resetMs }: QuotaState) => String(Math.max(1, Math.ceil(resetMs / 1000)));

/** draft-ietf-httpapi-ratelimit-headers-06. Few clients read the single field of later drafts yet. */
function headersOf(state: QuotaState): HeaderList {
  return [
    ['ratelimit-limit', String(state.limit)],
    ['ratelimit-remaining', String(state.remaining)],
    ['ratelimit-reset', secondsOf(state)],
  ];
}

function refusalOf(subject: string, state: QuotaState): Problem {
  const seconds = secondsOf(state);
  return new Problem('too_many_requests', {
    detail: `Too many requests from ${subject}. Try again in ${seconds} s.`,
    headers: { 'Retry-After': seconds },
  });
}
