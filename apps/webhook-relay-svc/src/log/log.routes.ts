import type { Database } from '@canvass/postgres';
import {
  accepted,
  endpoint,
  digestOf,
  idSchema,
  instantSchema,
  listParameters,
  ok,
  type Endpoint,
} from '@canvass/service-kit';
import Joi from 'joi';
import { eventNames, idOf, manage, view } from '../webhook-operations';
import { oneDelivery, pageOfDeliveries, resentDelivery } from './delivery-answers';
import { deliveryStatuses, type DeliveryFilter } from './log.sql';
import { readDeliveries, readDelivery } from './read-deliveries';
import { resendDelivery } from './resend-delivery';

const params = idOf('delivery');

const listQuery = listParameters<Omit<DeliveryFilter, 'tenantId'>>({
  endpointId: idSchema.description('only those for this endpoint'),
  formId: idSchema.description('only those of this form and its submissions'),
  entityId: idSchema.description('only those of this submission or form'),
  eventName: Joi.string()
    .valid(...eventNames)
    .description('only those of this event'),
  status: Joi.string()
    .valid(...deliveryStatuses)
    .description('only those in this status'),
  from: instantSchema('created at or after this time'),
  to: instantSchema('created before this time'),
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
      answers: { 200: pageOfDeliveries },
      problems: ['query_too_broad'],
      async handle({ principal: { tenantId }, query: { page, pageSize, byKey, ...filter } }) {
        return ok(await readDeliveries(db, { tenantId, ...filter }, { page, pageSize, byKey }));
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/webhooks/deliveries/:id',
      operationId: 'getWebhookDelivery',
      summary: 'One delivery with its message and its attempts.',
      access: view,
      params,
      answers: { 200: oneDelivery },
      async handle({ principal: { tenantId }, params: { id } }) {
        const delivery = await readDelivery(db, tenantId, id);
        return ok(delivery, { etag: digestOf(delivery) });
      },
    }),
    endpoint.write({
      method: 'post',
      path: '/api/webhooks/deliveries/:id/resend',
      operationId: 'resendWebhookDelivery',
      audit: { action: 'webhook_delivery.resent' },
      summary: 'Resends a delivery with the same bytes and the same id.',
      description:
        'Possible in every final status. If it fails again, the retry schedule starts from the beginning. Returns 409 if the delivery is being sent, the data of its submission was erased, or its endpoint is disabled or removed.',
      access: manage,
      params,
      answers: { 202: resentDelivery },
      problems: ['conflict'],
      async handle({ principal: { tenantId }, params: { id } }) {
        await resendDelivery(db, tenantId, id);
        onResent();
        return accepted(await readDelivery(db, tenantId, id), { location: `/api/webhooks/deliveries/${id}` });
      },
    }),
  ];
}
