import { keySetExample, keySetSchema, type KeyRing } from '@canvass/auth';
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
      answers: {
        200: {
          description: 'The keys that tokens are, were lately and will next be signed with.',
          body: keySetSchema,
          headers: { 'Cache-Control': 'how long verifiers may keep the set' },
          example: keySetExample,
        },
      },
      handle: () =>
        Promise.resolve(
          ok(keyRing.jwks(), { headers: { 'Cache-Control': `public, max-age=${maxAgeSeconds}` } }),
        ),
    }),
  ];
}
