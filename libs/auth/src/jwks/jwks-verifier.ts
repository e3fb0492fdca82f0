import { invalidToken } from '../challenge';
import { readUnverified, type SignatureAlgorithm, type UnverifiedToken } from '../token-text';
import { verifyClaims, type Claims } from '../verify-claims';
import type { Fetch } from './fetch-json';
import { createRemoteKeySet } from './remote-key-set';

export interface JwksVerifierOptions {
  /** Address of the key set, or a function that returns it. */
  jwksUri: string | (() => Promise<string>);
  issuer: string;
  audience: string;
  /** The accepted algorithms; RS256 by default. */
  algorithms?: readonly SignatureAlgorithm[];
  /** Accepts tokens that name no key, if only one fits. Keys of the own provider are revoked by their id. */
  acceptUnnamedKeys?: boolean;
  fetch?: Fetch;
  now?: () => number;
  onWarning?: (message: string, details: Record<string, unknown>) => void;
}

export interface JwksVerifier {
  /**
   * The claims of the token. Throws a 401 Problem if the token is not acceptable, a 503 while keys are
   * unavailable.
   */
  verify(token: string | UnverifiedToken): Promise<Claims>;
}

/**
 * Verifies tokens of one issuer for one audience with the issuer's published keys. The key is found in that
 * set only and must fit the algorithm, so a token cannot choose how it is checked.
 */
export function createJwksVerifier(options: JwksVerifierOptions): JwksVerifier {
  const {
    jwksUri,
    issuer,
    audience,
    algorithms = ['RS256'],
    acceptUnnamedKeys = false,
    now = Date.now,
  } = options;
  const keySet = createRemoteKeySet({
    locate: typeof jwksUri === 'string' ? () => Promise.resolve(jwksUri) : jwksUri,
    // Resolved at each call, so that an instrumented global fetch is used.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    now,
    onWarning: options.onWarning ?? (() => undefined),
  });
  return {
    async verify(token) {
      const unverified = typeof token === 'string' ? readUnverified(token) : token;
      const algorithm = algorithms.find((each) => each === unverified.algorithm);
      if (!algorithm) throw invalidToken('The algorithm of the token is not accepted.');
      if (unverified.issuer !== issuer) throw invalidToken('The token is from another issuer.');
      if (unverified.keyId === undefined && !acceptUnnamedKeys) throw invalidToken('The token names no key.');
      const key = await keySet.get(unverified.keyId, algorithm);
      return verifyClaims(unverified.text, key, { algorithms: [algorithm], issuer, audience, now });
    },
  };
}
