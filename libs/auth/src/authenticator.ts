import { invalidToken } from './challenge';
import { externalPrincipal } from './external-claims';
import { discoverJwksUri } from './jwks/discovery';
import type { Fetch } from './jwks/fetch-json';
import { createJwksVerifier, type JwksVerifier } from './jwks/jwks-verifier';
import { ownPrincipal } from './own-claims';
import { ownProvider, withholdPrivileged, type Principal } from './principal';
import type { Revocations } from './revocations';
import type { ExternalProvider, OwnProvider } from './settings';
import { asymmetricAlgorithms, bearerToken, readUnverified, type UnverifiedToken } from './token-text';
import type { Claims } from './verify-claims';

export interface AuthenticatorOptions {
  fetch?: Fetch;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Called when keys cannot be fetched. The details contain no secrets. */
  onWarning?: (message: string, details: Record<string, unknown>) => void;
  /** Revoked tokens of the own provider. identity-svc has none: it compares tokens with its database. */
  revocations?: Pick<Revocations, 'assertNotRevoked' | 'isCurrent'>;
}

export interface Authenticator {
  /**
   * The caller of an `Authorization` header, or null without a header. Throws a 401 `invalid_token` for any
   * token that is not acceptable (never "anonymous"), and a 503 while the keys of the issuer cannot be
   * fetched.
   */
  authenticate(authorizationHeader: string | undefined): Promise<Principal | null>;
  /** Returns whether the rights of a caller ended since it was authenticated. */
  isRevoked?(principal: Principal): boolean;
}

export interface TrustedProviders {
  Own?: Pick<OwnProvider, 'Issuer' | 'Audience' | 'JwksUri'>;
  Providers: readonly ExternalProvider[];
}

interface TrustedIssuer {
  verifier: JwksVerifier;
  principalOf(claims: Claims, token: UnverifiedToken): Principal;
}

/**
 * Accepts tokens of the configured issuers only. Tokens of the own provider use RS256. Tokens of an external
 * provider may use any asymmetric algorithm that fits its published key. Keys are fetched when the first
 * token needs them, so services and providers may start in any order.
 */
export function createAuthenticator(
  settings: TrustedProviders,
  options: AuthenticatorOptions = {},
): Authenticator {
  const { revocations } = options;
  const fetch: Fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const issuers = new Map<string, TrustedIssuer>();

  for (const provider of settings.Providers) {
    const { Issuer: issuer, Audience: audience, JwksUri: jwksUri } = provider;
    issuers.set(issuer, {
      verifier: createJwksVerifier({
        ...options,
        fetch,
        issuer,
        audience,
        jwksUri: jwksUri ?? (() => discoverJwksUri(fetch, issuer)),
        algorithms: asymmetricAlgorithms,
        acceptUnnamedKeys: true,
      }),
      principalOf: (claims, token) => externalPrincipal(provider, claims, token),
    });
  }
  if (settings.Own) {
    const { Issuer: issuer, Audience: audience, JwksUri: jwksUri } = settings.Own;
    issuers.set(issuer, {
      verifier: createJwksVerifier({ ...options, fetch, issuer, audience, jwksUri }),
      principalOf(claims, { keyId }) {
        revocations?.assertNotRevoked(claims, keyId);
        const principal = ownPrincipal(claims);
        return revocations?.isCurrent() === false ? withholdPrivileged(principal) : principal;
      },
    });
  }

  return {
    async authenticate(authorizationHeader) {
      if (authorizationHeader === undefined) return null;
      const token = readUnverified(bearerToken(authorizationHeader));
      const trusted = token.issuer === undefined ? undefined : issuers.get(token.issuer);
      if (!trusted) throw invalidToken('The issuer of the token is not trusted.');
      return trusted.principalOf(await trusted.verifier.verify(token), token);
    },
    isRevoked({ provider, claims }) {
      if (provider !== ownProvider) return false;
      try {
        revocations?.assertNotRevoked(claims, undefined);
        return false;
      } catch {
        return true;
      }
    },
  };
}
