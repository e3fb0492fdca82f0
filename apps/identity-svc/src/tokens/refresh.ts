import type { Tx } from '@canvass/postgres';
import { credentialsById } from '../users';
import type { TokenDeps } from './deps';
import { endSession } from './end-session';
import { useRefreshToken } from './refresh-tokens.sql';
import { invalidCredentials, openSession, type Session } from './session';

/**
 * Exchanges a refresh token for a new session and uses the token up. If a used token comes again, it was
 * stolen, so its whole family is revoked (RFC 9700, section 4.14.2).
 */
export async function refresh(deps: TokenDeps, refreshToken: string): Promise<Session> {
  // The transaction returns undefined instead of throwing, because its revocation must be committed.
  const session = await deps.db.transaction((tx) => rotate(tx, deps, refreshToken));
  if (!session) throw invalidCredentials('The refresh token is not valid; sign in again.');
  return session;
}

async function rotate(tx: Tx, deps: TokenDeps, refreshToken: string): Promise<Session | undefined> {
  const grant = await useRefreshToken(tx, refreshToken);
  const user = grant && (await credentialsById(tx, grant.tenantId, grant.userId));
  if (user?.isEnabled && user.credentialsVersion === grant?.credentialsVersion) {
    return openSession(tx, deps, user, grant.familyId);
  }
  const familyId = await endSession(tx, refreshToken);
  if (familyId && !grant) {
    tx.afterCommit(() => deps.logger.warn({ familyId }, 'refresh token reuse detected; session revoked'));
  }
  return undefined;
}
