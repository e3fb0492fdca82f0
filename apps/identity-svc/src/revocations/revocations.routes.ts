import { exactObject, wireDate } from '@canvass/contracts';
import type { Database } from '@canvass/postgres';
import { endpoint, ok, type Endpoint, type Wire } from '@canvass/service-kit';
import Joi from 'joi';
import { selectRevocations, type RevocationPage } from './revocations.sql';

const pageExample: Wire<RevocationPage> = {
  revocations: [
    { kind: 'user', subject: '186512345670000128', minVersion: 3, expiresAt: '2026-11-21T09:49:12.345Z' },
  ],
  next: '4711',
  hasMore: false,
};

const page = exactObject<Wire<RevocationPage>>('RevocationPage', {
  revocations: Joi.array()
    .items(
      exactObject('Revocation', {
        kind: Joi.string()
          .valid('user', 'service', 'session', 'key')
          .description('whose access tokens are revoked'),
        subject: Joi.string().description('id of the user, service account, session or signing key'),
        minVersion: Joi.number()
          .integer()
          .allow(null)
          .description('tokens of an older version are revoked; null: all tokens'),
        expiresAt: wireDate.description('after it no revoked token is valid any more'),
      }).optional(),
    )
    .description('in the order of their transactions; some may repeat'),
  next: Joi.string().description('`since` of the next request'),
  hasMore: Joi.boolean().description('whether there are more now'),
})
  .description('Revoked access tokens.')
  .example(pageExample);

/** Endpoints for the other services, on the internal port only. */
export function revocationRoutes(db: Database): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/internal/revocations',
      operationId: 'listRevocations',
      summary: 'Access tokens that were revoked before they expire',
      access: 'internal',
      query: Joi.object<{ since: string }>({
        since: Joi.string()
          .pattern(/^\d{1,19}(,\d{1,19},\d{1,19},[a-z]+,[\w-]+)?$/)
          .default('0')
          .description('`next` of the page before; by default from the beginning'),
      }),
      answers: {
        200: { description: 'Revocations since the last page.', body: page, example: pageExample },
      },
      handle: async ({ query }) =>
        ok(await selectRevocations(db, query.since), { headers: { 'Cache-Control': 'no-store' } }),
    }),
  ];
}
