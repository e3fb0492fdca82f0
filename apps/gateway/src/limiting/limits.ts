import { bearerToken } from '@canvass/auth';
import { Problem } from '@canvass/errors';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RateLimitSettings } from '../config';
import { clientNetwork, type HeaderList } from '../edge';
import type { Route } from '../routing';
import type { AccountOf } from './accounts';
import { Budget, type Standing } from './budget';
import type { Ledger } from './ledger';
import { RecentlyUsed } from './recently-used';

export type LimitKind = 'address' | 'account' | 'formToken';

export interface Verdict {
  /** `RateLimit-*` of the limit that is nearest. */
  headers: HeaderList;
  refusal: Problem | null;
}

export interface Limits {
  /** Counts a request. Answers at once unless a lease or the keys of a token's issuer have to be fetched; never fails. */
  admit(request: IncomingMessage, route: Pick<Route, 'access'>): Verdict | Promise<Verdict>;
}

export interface LimitsDeps {
  settings: RateLimitSettings;
  trustedHops: number;
  ledger: Ledger;
  accountOf: AccountOf;
  onRefused(kind: LimitKind): void;
}

type Later<T> = T | Promise<T>;
type Spend = (name: string) => Later<Standing>;

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');
const free: Verdict = { headers: [], refusal: null };
const whose: Record<LimitKind, string> = {
  address: 'this address',
  account: 'this account',
  formToken: 'this form token',
};

/** The limits by address, then by account or form token; a request that one refuses is not counted by the next. */
export function createLimits({ settings, trustedHops, ledger, accountOf, onRefused }: LimitsDeps): Limits {
  function spender(kind: LimitKind, limit: number): Spend | null {
    if (limit === 0) return null;
    const budgets = new RecentlyUsed<Budget>(settings.MostKeys);
    const rules = {
      limit,
      windowMs: settings.WindowSeconds * 1000,
      localLimit: Math.max(1, Math.floor(limit / settings.Copies)),
    };
    return (name) => {
      let budget = budgets.get(name);
      if (budget === undefined) {
        budget = new Budget(sha256(`${kind} ${name}`), rules, ledger);
        budgets.set(name, budget);
      }
      return budget.take();
    };
  }
  const byAddress = spender('address', settings.PerAddress);
  const byAccount = spender('account', settings.PerAccount);
  const byFormToken = spender('formToken', settings.PerFormToken);

  const verdictOf = (kind: LimitKind, standing: Standing): Verdict => {
    if (!standing.isAdmitted) onRefused(kind);
    return {
      headers: headersOf(standing),
      refusal: standing.isAdmitted ? null : refusalOf(whose[kind], standing),
    };
  };

  function spendCredential(request: IncomingMessage, route: Pick<Route, 'access'>, before: Standing | null) {
    const together = (kind: LimitKind, standing: Standing): Verdict =>
      before !== null && standing.isAdmitted && before.remaining < standing.remaining
        ? verdictOf('address', before)
        : verdictOf(kind, standing);
    const withoutOne = before === null ? free : verdictOf('address', before);
    const { authorization } = request.headers;
    const token = tokenOf(authorization);
    if (authorization === undefined || token === null) return withoutOne;
    if (route.access === 'form-access token') {
      if (byFormToken === null) return withoutOne;
      return then(byFormToken(sha256(token)), (standing) => together('formToken', standing));
    }
    if (byAccount === null) return withoutOne;
    return then(accountOf(authorization, sha256(token)), (account) =>
      account === null ? withoutOne : then(byAccount(account), (standing) => together('account', standing)),
    );
  }

  return {
    admit(request, route) {
      if (byAddress === null) return spendCredential(request, route, null);
      return then(byAddress(clientNetwork(request, trustedHops)), (standing) =>
        standing.isAdmitted ? spendCredential(request, route, standing) : verdictOf('address', standing),
      );
    },
  };
}

/** Read as the services read it: no spelling is a token to them and none here. Null where there is none. */
function tokenOf(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  try {
    return bearerToken(authorization);
  } catch {
    return null; // of another scheme, or one that its service will refuse
  }
}

/** Goes on at once where it can: most requests wait for nothing, not even for a turn of the event loop. */
function then<T, R>(value: Later<T>, next: (value: T) => Later<R>): Later<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

const secondsOf = ({ resetMs }: Standing) => String(Math.max(1, Math.ceil(resetMs / 1000)));

/** draft-ietf-httpapi-ratelimit-headers-06: later drafts put all in one field that few clients read yet. */
function headersOf(standing: Standing): HeaderList {
  return [
    ['ratelimit-limit', String(standing.limit)],
    ['ratelimit-remaining', String(standing.remaining)],
    ['ratelimit-reset', secondsOf(standing)],
  ];
}

function refusalOf(whom: string, standing: Standing): Problem {
  const seconds = secondsOf(standing);
  return new Problem('too_many_requests', {
    detail: `There were more requests of ${whom} than its limit allows; try again in ${seconds} s.`,
    headers: { 'Retry-After': seconds },
  });
}
