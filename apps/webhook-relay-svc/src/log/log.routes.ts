import { requirePermission } from '@canvass/auth';
import { webhookEvents } from '@canvass/contracts';
import type { Database } from '@canvass/postgres';
import {
  accepted,
  endpoint,
  idSchema,
  ok,
  pageQuery,
  type Endpoint,
  type PageQuery,
} from '@canvass/service-kit';
import Joi from 'joi';
import { deliveryStatuses, type DeliveryFilter } from './log.sql';
import { readDeliveries, readDelivery } from './read-deliveries';
import { resendDelivery } from './resend-delivery';

const view = { permission: 'WebHooks.View' } as const;
const manage = { permission: 'WebHooks.Manage' } as const;

const params = Joi.object<{ id: string }>({ id: idSchema.required() });

type ListQuery = PageQuery & Omit<DeliveryFilter, 'tenantId'>;

const instant = (meaning: string) =>
  Joi.date().iso().min('0001-01-01T00:00:00Z').max('9999-12-31T23:59:59Z').description(meaning);

const listQuery = Joi.object<ListQuery>({
  ...pageQuery(),
  endpointId: idSchema,
  formId: idSchema,
  entityId: idSchema.description('Id of the submission or form'),
  eventName: Joi.string().valid(...Object.values(webhookEvents).map(({ eventName }) => eventName)),
  status: Joi.string().valid(...deliveryStatuses),
  from: instant('Made at or after this time'),
  to: instant('Made before this time'),
});

export interface LogRoutesDeps {
  db: Database;
  /** Called when a delivery was made due by hand. */
  onResent(): void;
}

export function logRoutes({ db, onResent }: LogRoutesDeps): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/api/webhooks/deliveries',
      operationId: 'listWebhookDeliveries',
      summary: 'The delivery log of the tenant, newest first.',
      access: view,
      query: listQuery,
      async handle({ principal, query: { page, pageSize, ...filter } }) {
        const { tenantId } = requirePermission(principal, view.permission);
        return ok(await readDeliveries(db, { tenantId, ...filter }, { page, pageSize }));
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/webhooks/deliveries/:id',
      operationId: 'getWebhookDelivery',
      summary: 'One delivery with its message and every attempt.',
      access: view,
      params,
      async handle({ principal, params: { id } }) {
        const { tenantId } = requirePermission(principal, view.permission);
        return ok(await readDelivery(db, tenantId, id));
      },
    }),
    endpoint.write({
      method: 'post',
      path: '/api/webhooks/deliveries/:id/resend',
      operationId: 'resendWebhookDelivery',
      summary: 'Sends one delivery again: the same bytes under the same id.',
      access: manage,
      params,
      async handle({ principal, params: { id } }) {
        const { tenantId } = requirePermission(principal, manage.permission);
        await resendDelivery(db, tenantId, id);
        onResent();
        return accepted(await readDelivery(db, tenantId, id), { location: `/api/webhooks/deliveries/${id}` });
      },
    }),
  ];
}
