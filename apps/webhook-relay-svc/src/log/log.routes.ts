import type { Database } from '@canvass/postgres';
import {
  accepted,
  endpoint,
  digestOf,
  idSchema,
  listParameters,
  ok,
  type Endpoint,
} from '@canvass/service-kit';
import Joi from 'joi';
import { idOf, manage, view } from '../webhook-operations';
import { oneDelivery, pageOfDeliveries, resentDelivery } from './delivery-answers';
import { filterMembers, type DeliveryFilter } from './delivery-filter';
import { oneMessage } from './message-answers';
import { readDeliveries, readDelivery } from './read-deliveries';
import { readMessage } from './read-message';
import { resendDelivery } from './resend-delivery';

const params = idOf('delivery');

const listQuery = listParameters<DeliveryFilter>({
  ...filterMembers,
  status: filterMembers.status.single().description('only those in one of these statuses; may be repeated'),
  outcome: filterMembers.outcome
    .single()
    .description('only those whose last attempt ended in one of these ways; may be repeated'),
});

const messageParams = Joi.object<{ messageId: string }>({
  messageId: idSchema.required().description('`Id` of the message'),
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
      description:
        'All filters must hold. A filter that reads for longer than five seconds is a 400 `query_too_broad`: limit the time by `from` and `to`, or name an endpoint, a form or an entity. `text` is searched in the bodies of messages, one after the other.',
      access: view,
      query: listQuery,
      answers: { 200: pageOfDeliveries },
      problems: ['query_too_broad'],
      async handle({ principal: { tenantId }, query: { after, before, limit, total, ...filter } }) {
        return ok(await readDeliveries(db, { tenantId, ...filter }, { after, before, limit, total }));
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
    endpoint.read({
      method: 'get',
      path: '/api/webhooks/messages/:messageId',
      operationId: 'getWebhookMessage',
      summary: 'One message with its deliveries to all endpoints.',
      description: 'Contains the first 1,000 deliveries, oldest first.',
      access: view,
      params: messageParams,
      answers: { 200: oneMessage },
      problems: ['query_too_broad'],
      async handle({ principal: { tenantId }, params: { messageId } }) {
        const message = await readMessage(db, tenantId, messageId);
        return ok(message, { etag: digestOf(message) });
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
