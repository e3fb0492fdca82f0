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
}

export interface AccessToken {
  token: string;
  expiresInSeconds: number;
}

/**
 * Signs an access token of the own provider: `sub`, `tid`, `kind`, `roles` and profile claims for submitters.
 */
export function issueAccessToken({ keyRing, settings }: TokenDeps, holder: TokenHolder): AccessToken {
  const { AccessTokenMinutes, ServiceTokenMinutes } = settings.Tokens;
  const expiresInSeconds = 60 * (holder.kind === 'user' ? AccessTokenMinutes : ServiceTokenMinutes);
  const token = keyRing.sign(
    {
      tid: holder.tenantId,
      kind: holder.kind,
      roles: holder.roles,
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
