import { recordAudit } from '@canvass/audit';
import type { Database, PostgresIdempotencyStore } from '@canvass/postgres';
import { accepted, digestOf, endpoint, instantSchema, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { idOf, manage, view } from '../webhook-operations';
import { endedRecovery, oneRecovery, startedRecovery } from './recovery-answers';
import { cancel, readRecovery, recover } from './recover';

const body = Joi.object<{ since: Date }>({
  since: instantSchema('deliveries made at or after this time').required(),
}).id('NewWebhookRecovery');

export interface RecoveryRoutesDeps {
  db: Database;
  idempotency: PostgresIdempotencyStore;
}

export function recoveryRoutes({ db, idempotency }: RecoveryRoutesDeps): Endpoint[] {
  return [
    startRoute(idempotency),
    endpoint.read({
      method: 'get',
      path: '/api/webhooks/recoveries/:id',
      operationId: 'getWebhookRecovery',
      summary: 'A recovery with its progress.',
      access: view,
      params: idOf('recovery'),
      answers: { 200: oneRecovery },
      async handle({ principal: { tenantId }, params: { id } }) {
        const recovery = await readRecovery(db, tenantId, id);
        return ok(recovery, { etag: digestOf(recovery) });
      },
    }),
    endpoint.write({
      method: 'post',
      path: '/api/webhooks/recoveries/:id/cancel',
      operationId: 'cancelWebhookRecovery',
      audit: { action: 'webhook_recovery.cancelled' },
      summary: 'Cancels a recovery.',
      description: 'Deliveries that are already due stay due. A recovery that has ended is not changed.',
      access: manage,
      params: idOf('recovery'),
      answers: { 200: endedRecovery },
      async handle({ principal: { tenantId }, params: { id } }) {
        return ok(await cancel(db, tenantId, id));
      },
    }),
  ];
}

function startRoute(idempotency: PostgresIdempotencyStore): Endpoint {
  return endpoint.write({
    method: 'post',
    path: '/api/webhooks/endpoints/:id/recover',
    operationId: 'recoverWebhookEndpoint',
    audit: { action: 'webhook_recovery.started' },
    summary: 'Resends all failed deliveries of an endpoint since a time, as a job.',
    description:
      'Includes deliveries in the status `failed` or `dead`. Returns 409 if the endpoint is disabled or removed.',
    access: manage,
    params: idOf('endpoint'),
    body,
    idempotency: { store: idempotency },
    answers: { 202: startedRecovery },
    problems: ['conflict'],
    async handle({ principal: { tenantId }, params: { id }, body: { since }, db, wake }) {
      const job = await db.transaction(async (tx) => {
        const started = await recover(tx, { tenantId, endpointId: id, since });
        const after = { endpointId: id, since };
        await recordAudit(tx, { tenantId, object: ['webhook_recovery', started.id], after });
        return started;
      });
      wake();
      return accepted(job, { location: `/api/webhooks/recoveries/${job.id}` });
    },
  });
}
