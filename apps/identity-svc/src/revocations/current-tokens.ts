import { invalidToken, ownProvider, type Authenticator } from '@canvass/auth';
import type { Queryable } from '@canvass/postgres';
import { isCurrent } from './revocations.sql';

/**
 * Also asks the database whether an own token is revoked. The other services read the feed instead, which
 * takes seconds: too long for the operations that could undo a revocation.
 */
export function onlyCurrentTokens(authenticator: Authenticator, db: Queryable): Authenticator {
  return {
    async authenticate(header) {
      const principal = await authenticator.authenticate(header);
      if (principal?.provider !== ownProvider) return principal;
      const { kind, tenantId, subject: id, claims } = principal;
      const version = typeof claims['ver'] === 'number' ? claims['ver'] : 0;
      const session = typeof claims['sid'] === 'string' ? claims['sid'] : '';
      const state = { kind: kind === 'service' ? kind : 'user', tenantId, id, version, session } as const;
      if (!(await isCurrent(db, state))) throw invalidToken('The token was revoked.');
      return principal;
    },
  };
}
