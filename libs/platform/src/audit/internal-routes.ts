import { exactObject } from '@canvass/contracts';
import { newestFirst, readBounded, readKeyPage, type Transactor } from '@canvass/postgres';
import {
  endpoint,
  idSchema,
  listAnswer,
  listParameters,
  ok,
  type Endpoint,
  type KeyPage,
  type KeyQuery,
} from '@canvass/service-kit';
import Joi from 'joi';
import { auditExample, auditMembers } from './answers';
import { actionsOf, type AuditFilter, type AuditView } from './read.sql';

/** Largest number of actions in one response: a page, and one that shows whether more follow. */
export const maxActions = 1_001;

const instant = Joi.date().iso();
const query = listParameters<AuditFilter>({
  tenantId: idSchema.required().description('id of the tenant'),
  from: instant.description('at or after this time'),
  to: instant.description('before this time'),
  actor: Joi.string().description('subject of the actor'),
  action: Joi.string().description('the action'),
  objectType: Joi.string().description('type of the object'),
  objectId: Joi.string().description('id of the object'),
  limit: Joi.number().integer().min(1).max(maxActions).required().description('number of actions'),
});

/** Endpoints for identity-svc, on the internal port only: the audit trail of this service, newest first. */
export function auditInternalRoutes(db: Transactor): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/internal/audit',
      operationId: 'listRecordedActions',
      summary: 'The audit trail of a tenant in this service, newest first',
      access: 'internal',
      query,
      answers: {
        200: listAnswer<AuditView>(
          'RecordedAction',
          exactObject<AuditView>('RecordedAction', auditMembers),
          auditExample,
          'Recorded actions.',
        ),
      },
      problems: ['query_too_broad'],
      async handle({ query: { after, before, limit, total, ...filter } }) {
        const page = await readActions(db, filter, { after, before, limit, total });
        return ok(page, { headers: { 'Cache-Control': 'no-store' } });
      },
    }),
  ];
}

/**
 * A page of the recorded actions of a tenant in this service, newest first.
 *
 * @throws {Problem} `query_too_broad` after 5 s
 */
export const readActions = (
  db: Transactor,
  filter: AuditFilter,
  window: KeyQuery,
): Promise<KeyPage<AuditView>> =>
  readBounded(db, 'Limit the time by from and to, or filter by objectId.', (tx) =>
    readKeyPage(tx, actionsOf(filter), newestFirst, window, (action: AuditView) => action),
  );
