import type { Role } from '@canvass/auth';
import { Problem } from '@canvass/errors';
import type { Queryable } from '@canvass/postgres';
import { noteSignIn, type UserCredentials } from '../users';
import { issueAccessToken } from './access-token';
import type { Client } from './client';
import type { TokenDeps } from './deps';
import { insertRefreshToken, type RefreshGrant } from './refresh-tokens.sql';

/** The response to a login and a refresh. */
export interface Session {
  accessToken: string;
  refreshToken: string;
  /** The time when the access token expires. */
  expiresAtUtc: Date;
}

/** A session and what only the cookie of a browser needs. */
export interface OpenedSession extends Session {
  refreshTokenExpiresAt: Date;
}

/** Issues both tokens. `continues` is the session of a refresh; without it a new one starts. */
export async function openSession(
  db: Queryable,
  deps: TokenDeps,
  user: UserCredentials,
  client: Client,
  continues?: RefreshGrant,
): Promise<OpenedSession> {
  const { tenantId, id, credentialsVersion } = user;
  const { RefreshTokenDays: days, SessionDays: sessionDays } = deps.settings.Tokens;
  const { network, userAgent } = client;
  const token = { tenantId, userId: id, credentialsVersion, continues, network, userAgent };
  const refresh = await insertRefreshToken(db, { ...token, days, sessionDays });
  if (continues === undefined) await noteSignIn(db, tenantId, id);
  const access = issueAccessToken(deps, {
    kind: 'user',
    ...user,
    roles: grantedRoles(user, deps.settings.SignIn.SecondFactorRoles),
    sessionId: refresh.familyId,
  });
  return {
    accessToken: access.token,
    refreshToken: refresh.token,
    expiresAtUtc: new Date(Date.now() + access.expiresInSeconds * 1000),
    refreshTokenExpiresAt: refresh.expiresAt,
  };
}

/** Without a second factor, a user does not get the roles that require it. */
const grantedRoles = ({ roles, hasSecondFactor }: UserCredentials, required: readonly Role[]): Role[] =>
  hasSecondFactor ? roles : roles.filter((role) => !required.includes(role));

/** The response of the operations that return the refresh token as JSON. */
export const sessionView = ({ accessToken, refreshToken, expiresAtUtc }: OpenedSession): Session => ({
  accessToken,
  refreshToken,
  expiresAtUtc,
});

/** The 401 of the sign-in routes, with the required challenge (RFC 9110, section 15.5.2). */
export function invalidCredentials(detail: string): Problem {
  return new Problem('invalid_credentials', {
    detail,
    headers: { 'WWW-Authenticate': 'Bearer realm="canvass"' },
  });
}
