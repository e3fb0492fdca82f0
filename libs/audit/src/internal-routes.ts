import { exactObject } from '@canvass/contracts';
import { readBounded, type Transactor } from '@canvass/postgres';
import { endpoint, idSchema, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { auditExample, auditMembers } from './answers';
import { findActions, type AuditFilter, type AuditView } from './read.sql';

/** Most actions in one response. */
export const mostActions = 1_000;

const instant = Joi.date().iso();
const filterSchema = Joi.object<AuditFilter & { limit: number }>({
  tenantId: idSchema.required().description('id of the tenant'),
  from: instant.description('at or after this time'),
  to: instant.description('before this time'),
  actor: Joi.string().description('subject of the actor'),
  action: Joi.string().description('the action'),
  objectType: Joi.string().description('type of the object'),
  objectId: Joi.string().description('id of the object'),
  before: idSchema.description('only actions with smaller ids'),
  limit: Joi.number().integer().min(1).max(mostActions).required().description('most actions'),
});

interface ActionList {
  items: AuditView[];
}

/** For identity-svc, on the internal port only: the audit trail of this service, newest first. */
export function auditInternalRoutes(db: Transactor): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/internal/audit',
      operationId: 'listRecordedActions',
      summary: 'The audit trail of a tenant in this service, newest first',
      access: 'internal',
      query: filterSchema,
      answers: {
        200: {
          description: 'Recorded actions.',
          body: exactObject<ActionList>('RecordedActions', {
            items: Joi.array().items(exactObject<AuditView>('RecordedAction', auditMembers).optional()),
          }),
          example: { items: [auditExample] } satisfies ActionList,
        },
      },
      problems: ['query_too_broad'],
      async handle({ query: { limit, ...filter } }) {
        const items = await readActions(db, filter, limit);
        return ok({ items } satisfies ActionList, { headers: { 'Cache-Control': 'no-store' } });
      },
    }),
  ];
}

/**
 * The recorded actions of a tenant in this service, newest first.
 *
 * @throws {Problem} `query_too_broad` after 5 s
 */
export const readActions = (db: Transactor, filter: AuditFilter, limit: number): Promise<AuditView[]> =>
  readBounded(db, 'Limit the time by from and to, or filter by objectId.', (tx) =>
    tx.run<AuditView>(findActions(filter, limit)),
  );
