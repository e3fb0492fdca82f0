import { bearerToken, invalidToken, ownProvider, readUnverified, type Authenticator } from '@canvass/auth';
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
      if (header === undefined || principal?.provider !== ownProvider) return principal;
      const { kind, tenantId, subject: id, claims } = principal;
      const version = typeof claims['ver'] === 'number' ? claims['ver'] : 0;
      const session = typeof claims['sid'] === 'string' ? claims['sid'] : '';
      const { keyId = '' } = readUnverified(bearerToken(header));
      const holder = { kind: kind === 'service' ? kind : 'user', tenantId, id } as const;
      if (!(await isCurrent(db, { ...holder, version, keyId, session })))
        throw invalidToken('The token was revoked.');
      return principal;
    },
  };
}
