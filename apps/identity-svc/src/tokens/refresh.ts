import { recordAudit } from '@canvass/audit';
import { Problem } from '@canvass/errors';
import type { Tx } from '@canvass/postgres';
import { credentialsById } from '../users';
import type { Client } from './client';
import type { TokenDeps } from './deps';
import { endSession } from './end-session';
import {
  justUsedRefreshToken,
  revokeUnusedRefreshToken,
  useRefreshToken,
  type RefreshGrant,
} from './refresh-tokens.sql';
import { invalidCredentials, openSession, type OpenedSession } from './session';

/** A second use within this time is no theft: a response was lost, or two tabs refreshed at once. */
const graceSeconds = 10;

/** The answer that the client of a token that was used up just now gets, if the response may be lost. */
export type Repetition = 'new tokens' | 'conflict';

/**
 * Exchanges a refresh token for a new session and uses the token up. If a used token comes again later than
 * 10 s, it was stolen, so its whole family is revoked (RFC 9700, section 4.14.2).
 *
 * @param repetition for a second use within 10 s. A browser gets a conflict: its tabs share the cookie, so
 * the other request has replaced it.
 * @throws {Problem} `invalid_credentials`; `refresh_raced` for a second use within 10 s
 */
export async function refresh(
  deps: TokenDeps,
  refreshToken: string,
  client: Client,
  repetition: Repetition,
): Promise<OpenedSession> {
  // The transaction returns undefined instead of throwing, because its revocation must be committed.
  const session = await deps.db.transaction((tx) => rotate(tx, deps, refreshToken, client, repetition));
  if (!session) throw invalidCredentials('The refresh token is not valid; sign in again.');
  return session;
}

async function rotate(
  tx: Tx,
  deps: TokenDeps,
  refreshToken: string,
  client: Client,
  repetition: Repetition,
): Promise<OpenedSession | undefined> {
  const used = await useRefreshToken(tx, refreshToken);
  const grant = used ?? (await repeatedGrant(tx, refreshToken, repetition));
  const user = grant && (await credentialsById(tx, grant.tenantId, grant.userId));
  if (user?.isEnabled && user.credentialsVersion === grant?.credentialsVersion) {
    return openSession(tx, deps, user, client, grant);
  }
  const ended = await endSession(tx, refreshToken);
  if (ended && !grant) {
    const { tenantId, familyId } = ended;
    await recordAudit(tx, { tenantId, object: ['session', familyId], action: 'session.reuse_detected' });
    tx.afterCommit(() => deps.logger.warn({ familyId }, 'refresh token reuse detected; session revoked'));
  }
  return undefined;
}

/** The grant of a token whose response may be lost. The tokens of that response end, so one chain remains. */
async function repeatedGrant(
  tx: Tx,
  refreshToken: string,
  repetition: Repetition,
): Promise<RefreshGrant | undefined> {
  const grant = await justUsedRefreshToken(tx, refreshToken, graceSeconds);
  if (!grant) return undefined;
  if (grant.isContinued || repetition === 'conflict') throw new Problem('refresh_raced');
  await revokeUnusedRefreshToken(tx, grant.familyId);
  return grant;
}
