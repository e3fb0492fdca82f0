import { keySetExample, keySetSchema, type KeyRing } from '@canvass/auth';
import { endpoint, ok, type Endpoint } from '@canvass/service-kit';

/**
 * The time for which verifiers may cache the set. Much shorter than the overlap of two keys, so that a
 * verifier knows every key in use.
 */
const maxAgeSeconds = 300;

export function keyRoutes(keyRing: KeyRing): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/.well-known/jwks.json',
      operationId: 'getSigningKeys',
      summary: 'The public keys of the access tokens (JSON Web Key Set, RFC 7517)',
      description:
        'For services that verify access tokens themselves. Select the key by the `kid` of the token. Keys rotate; the next one is in the set before it signs.',
      access: 'anonymous',
      answers: {
        200: {
          description: 'The current, the recent and the next signing keys.',
          body: keySetSchema,
          headers: { 'Cache-Control': 'how long verifiers may cache the set' },
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
