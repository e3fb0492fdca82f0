import type { KeyRing } from '@canvass/auth';
import { endpoint, ok, type Endpoint } from '@canvass/service-kit';

/**
 * Verifiers may keep the set this long. Much shorter than the overlap of two keys, so that nobody meets a token whose
 * key it has not seen.
 */
const maxAgeSeconds = 300;

export function keyRoutes(keyRing: KeyRing): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/.well-known/jwks.json',
      operationId: 'getSigningKeys',
      summary: 'The public keys of the access tokens (JSON Web Key Set, RFC 7517)',
      access: 'anonymous',
      handle: () =>
        Promise.resolve(
          ok(keyRing.jwks(), { headers: { 'Cache-Control': `public, max-age=${maxAgeSeconds}` } }),
        ),
    }),
  ];
}
