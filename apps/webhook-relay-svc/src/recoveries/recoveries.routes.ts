import { requirePermission } from '@canvass/auth';
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
      summary: 'A recovery and how far it is.',
      access: view,
      params: idOf('recovery'),
      answers: { 200: oneRecovery },
      async handle({ principal, params: { id } }) {
        const { tenantId } = requirePermission(principal, view.permission);
        const recovery = await readRecovery(db, tenantId, id);
        return ok(recovery, { etag: digestOf(recovery) });
      },
    }),
    endpoint.write({
      method: 'post',
      path: '/api/webhooks/recoveries/:id/cancel',
      operationId: 'cancelWebhookRecovery',
      summary: 'Ends a recovery where it is.',
      description: 'What was made due already stays due. A recovery that has ended stays as it is.',
      access: manage,
      params: idOf('recovery'),
      answers: { 200: endedRecovery },
      async handle({ principal, params: { id } }) {
        const { tenantId } = requirePermission(principal, manage.permission);
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
    summary: 'Sends all failed deliveries of an endpoint since a time again, as a job.',
    description:
      'Takes deliveries that are `failed` or `dead`. An endpoint that is disabled or removed is a 409.',
    access: manage,
    params: idOf('endpoint'),
    body,
    idempotency: { store: idempotency },
    answers: { 202: startedRecovery },
    problems: ['conflict'],
    async handle({ principal, params: { id }, body: { since }, db, wake }) {
      const { tenantId } = requirePermission(principal, manage.permission);
      const job = await recover(db, { tenantId, endpointId: id, since });
      wake();
      return accepted(job, { location: `/api/webhooks/recoveries/${job.id}` });
    },
  });
}
