import { Problem } from '@canvass/errors';
import type { Queryable } from '@canvass/postgres';
import type { UserCredentials } from '../users';
import { issueAccessToken } from './access-token';
import type { TokenDeps } from './deps';
import { insertRefreshToken } from './refresh-tokens.sql';

/** The response to a login and a refresh. */
export interface Session {
  accessToken: string;
  refreshToken: string;
  /** When the access token expires. */
  expiresAtUtc: Date;
}

/** Issues both tokens. `familyId` continues a login; without it a new one starts. */
export async function openSession(
  db: Queryable,
  deps: TokenDeps,
  user: UserCredentials,
  familyId?: string,
): Promise<Session> {
  const { tenantId, id, credentialsVersion } = user;
  const refresh = await insertRefreshToken(
    db,
    { tenantId, userId: id, credentialsVersion, ...(familyId === undefined ? {} : { familyId }) },
    deps.settings.Tokens.RefreshTokenDays,
  );
  const { token, expiresInSeconds } = issueAccessToken(deps, {
    kind: 'user',
    ...user,
    sessionId: refresh.familyId,
  });
  return {
    accessToken: token,
    refreshToken: refresh.token,
    expiresAtUtc: new Date(Date.now() + expiresInSeconds * 1000),
  };
}

/** The 401 of the sign-in routes, with the required challenge (RFC 9110, section 15.5.2). */
export function invalidCredentials(detail: string): Problem {
  return new Problem('invalid_credentials', {
    detail,
    headers: { 'WWW-Authenticate': 'Bearer realm="canvass"' },
  });
}
