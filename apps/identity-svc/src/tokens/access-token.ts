import type { Role } from '@canvass/auth';
import type { TokenDeps } from './deps';

/** The subject of an access token. */
export interface TokenHolder {
  kind: 'user' | 'service';
  tenantId: string;
  id: string;
  roles: Role[];
  name: string | null;
  email?: string;
  /** Becomes `ver`: a later version of the subject revokes the token. */
  tokenVersion: number;
  /** Becomes `sid`: the session of a user. */
  sessionId?: string;
  /** Becomes `forms`: the only forms that a service account may use. */
  formIds?: string[] | null;
  /** The token expires then at the latest. */
  secondsLeft?: number | null;
}

export interface AccessToken {
  token: string;
  expiresInSeconds: number;
}

/**
 * Signs an access token of the own provider: `sub`, `tid`, `kind`, `roles`, what a revocation names (`ver`,
 * `sid`), `forms`, and profile claims for submitters.
 */
export function issueAccessToken({ keyRing, settings }: TokenDeps, holder: TokenHolder): AccessToken {
  const { AccessTokenMinutes, ServiceTokenMinutes } = settings.Tokens;
  const lifetime = 60 * (holder.kind === 'user' ? AccessTokenMinutes : ServiceTokenMinutes);
  const expiresInSeconds = Math.min(lifetime, holder.secondsLeft ?? lifetime);
  const token = keyRing.sign(
    {
      tid: holder.tenantId,
      kind: holder.kind,
      roles: holder.roles,
      ver: holder.tokenVersion,
      ...(holder.sessionId === undefined ? {} : { sid: holder.sessionId }),
      ...(holder.formIds ? { forms: holder.formIds } : {}),
      ...(holder.name === null ? {} : { name: holder.name }),
      ...(holder.email === undefined ? {} : { email: holder.email, preferred_username: holder.email }),
    },
    {
      issuer: settings.Auth.Own.Issuer,
      audience: settings.Auth.Own.Audience,
      subject: holder.id,
      expiresInSeconds,
    },
  );
  return { token, expiresInSeconds };
}
