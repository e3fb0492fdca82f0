import { requirePermission } from '@canvass/auth';
import type { Database, PostgresIdempotencyStore } from '@canvass/postgres';
import { accepted, endpoint, idSchema, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { cancel, readRecovery, recover } from './recover';

const view = { permission: 'WebHooks.View' } as const;
const manage = { permission: 'WebHooks.Manage' } as const;

const params = Joi.object<{ id: string }>({ id: idSchema.required() });

const body = Joi.object<{ since: Date }>({
  since: Joi.date()
    .iso()
    .min('0001-01-01T00:00:00Z')
    .max('9999-12-31T23:59:59Z')
    .required()
    .description('Deliveries made at or after this time'),
});

export interface RecoveryRoutesDeps {
  db: Database;
  idempotency: PostgresIdempotencyStore;
  /** Called when a recovery was asked for; with an idempotency key the store calls it after its commit. */
  onAsked(): void;
}

export function recoveryRoutes({ db, idempotency, onAsked }: RecoveryRoutesDeps): Endpoint[] {
  return [
    endpoint.write({
      method: 'post',
      path: '/api/webhooks/endpoints/:id/recover',
      operationId: 'recoverWebhookEndpoint',
      summary: 'Sends all failed deliveries of an endpoint since a time again, as a job.',
      access: manage,
      params,
      body,
      idempotency: { store: idempotency },
      async handle({ principal, params: { id }, body: { since }, unit }) {
        const { tenantId } = requirePermission(principal, manage.permission);
        const job = await recover(unit?.db ?? db, { tenantId, endpointId: id, since });
        (unit?.wake ?? onAsked)();
        return accepted(job, { location: `/api/webhooks/recoveries/${job.id}` });
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/webhooks/recoveries/:id',
      operationId: 'getWebhookRecovery',
      summary: 'A recovery and how far it is.',
      access: view,
      params,
      async handle({ principal, params: { id } }) {
        const { tenantId } = requirePermission(principal, view.permission);
        return ok(await readRecovery(db, tenantId, id));
      },
    }),
    endpoint.write({
      method: 'post',
      path: '/api/webhooks/recoveries/:id/cancel',
      operationId: 'cancelWebhookRecovery',
      summary: 'Ends a recovery where it is.',
      access: manage,
      params,
      async handle({ principal, params: { id } }) {
        const { tenantId } = requirePermission(principal, manage.permission);
        return ok(await cancel(db, tenantId, id));
      },
    }),
  ];
}
