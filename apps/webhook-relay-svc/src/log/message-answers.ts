import { exactObject, wireDate, wireId } from '@canvass/contracts';
import { revisionHeader, type DescribedAnswer, type Wire } from '@canvass/service-kit';
import Joi from 'joi';
import { eventNames } from '../webhook-operations';
import { delivery, deliveryExample } from './delivery-answers';
import { maxDeliveries, type MessageView } from './read-message';

/** The answers of the operation on messages, for documents and tests. */

const example: Wire<MessageView> = {
  id: deliveryExample.messageId,
  eventName: deliveryExample.eventName,
  entity: 'submission',
  action: 'updated',
  entityId: deliveryExample.entityId,
  formId: deliveryExample.formId,
  isTest: false,
  traceId: '0af7651916cd43dd8448eb211c80319c',
  messageBody: JSON.stringify({
    Id: deliveryExample.messageId,
    EventName: deliveryExample.eventName,
    Action: 'updated',
    Payload: { submissionId: deliveryExample.entityId, formId: deliveryExample.formId },
  }),
  occurredAt: deliveryExample.occurredAt,
  createdAt: deliveryExample.createdAt,
  deliveries: [deliveryExample],
};

const message = exactObject<Wire<MessageView>>('WebhookMessageDetail', {
  id: wireId.description('`Id` of the message'),
  eventName: Joi.string().valid(...eventNames),
  entity: Joi.string().valid('form', 'submission', 'submitter', 'endpoint').description('X-Service-Entity'),
  action: Joi.string().description('X-Service-Action'),
  entityId: Joi.string()
    .pattern(/^(0|[1-9][0-9]{0,18})$/)
    .meta({ format: 'int64' })
    .description('id of the entity; `0` for a test'),
  formId: wireId.allow(null).description('the form, or that of the submission'),
  isTest: Joi.boolean().description('whether it was made by a test of an endpoint'),
  traceId: Joi.string().allow(null).description('`traceId` of the request that made the change'),
  messageBody: Joi.string().description(
    'the message as it is stored, JSON text; what an endpoint gets is in its delivery',
  ),
  occurredAt: wireDate.description('time of the change'),
  createdAt: wireDate.description('time at which the message was stored'),
  deliveries: Joi.array()
    .items(delivery.optional())
    .max(maxDeliveries)
    .description(`its deliveries to all endpoints, oldest first; only the first ${maxDeliveries}`),
})
  .description('A message with its deliveries.')
  .example(example);

export const oneMessage: DescribedAnswer = {
  description: 'The message.',
  headers: revisionHeader,
  body: message,
  example,
};
