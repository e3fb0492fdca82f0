import { ownProvider, type Principal, type SecretBox } from '@canvass/auth';
import { Problem } from '@canvass/errors';
import type { Endpoint } from '@canvass/service-kit';
import { isProof, proofHeader } from './proof';

/** The operation that a user calls for the own account instead of an operation on users. */
const ownWays: Record<string, string> = {
  changeUser: 'PATCH /api/auth/me for name and address, POST /api/auth/me/password for the password',
  makePasswordLink: 'POST /api/auth/me/password',
  withdrawPasswordLink: 'POST /api/auth/me/password, which ends the link',
  removeSecondFactorOfUser: 'POST /api/auth/me/second-factor/remove',
  endUserSessions: 'DELETE /api/auth/sessions',
  endUserSession: 'DELETE /api/auth/sessions/{sessionId}',
};

/** Operations that change how a user signs in; for some only if the body says so. */
const asksProof: Record<string, (body: unknown) => boolean> = {
  changeUser: (body) => Object.keys(body as object).some((name) => ['email', 'password'].includes(name)),
  makePasswordLink: () => true,
  removeSecondFactorOfUser: () => true,
};

/**
 * Guards all operations that change a user. They refuse the caller's own id: a stolen access token must not
 * do here what `/api/auth/me` does with a proof only. Those that change how a user signs in need the header
 * `X-Canvass-Proof` of users who sign in here. Service accounts prove themselves with each new token, and
 * users of other providers have no password here.
 */
export const guardOthers = (box: SecretBox, endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.map((each) =>
    each.kind === 'write' && each.path.startsWith('/api/users/:id') ? guarded(box, each) : each,
  );

function guarded(box: SecretBox, each: Endpoint): Endpoint {
  const { operationId, headers, problems = [] } = each;
  const asks = asksProof[operationId];
  const described = {
    [proofHeader]:
      'of `proveMyself`; users who sign in here need it for addresses, passwords, factors, links',
  };
  return {
    ...each,
    ...(asks && { headers: { ...headers, ...described } }),
    problems: [...problems, 'own_account', ...(asks ? (['proof_required'] as const) : [])],
    handle(input) {
      const caller = input.principal;
      if (caller?.provider === ownProvider && caller.kind === 'user') {
        const { id } = input.params as { id: string };
        if (id === caller.subject) throw ownAccount(operationId);
        if (asks?.(input.body)) requireProof(box, caller, operationId, input.headers);
      }
      return each.handle(input);
    },
  };
}

function ownAccount(operationId: string): Problem {
  const way = ownWays[operationId];
  return new Problem('own_account', {
    detail: way
      ? `For your own account use ${way}.`
      : 'Another administrator has to do this with your account; what you may change is at /api/auth/me.',
  });
}

function requireProof(
  box: SecretBox,
  caller: Principal,
  operationId: string,
  headers: Record<string, unknown>,
): void {
  const sent = headers[proofHeader.toLowerCase()];
  if (typeof sent === 'string' && isProof(box, caller, sent)) return;
  throw new Problem('proof_required', {
    detail: `${operationId} needs a proof that is at most five minutes old: send that of POST /api/auth/me/proof in the header ${proofHeader}.`,
  });
}
