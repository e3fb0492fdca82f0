import { exactObject, formExample, submissionExample, wireDate, wireId } from '@canvass/contracts';
import { listAnswer, revisionHeader, type DescribedAnswer, type Wire } from '@canvass/service-kit';
import Joi from 'joi';
import { keptAttempts, outcomes } from '../pipeline';
import { eventNames } from '../webhook-operations';
import { deliveryStatuses } from './delivery-filter';
import type { DeliveryView } from './log.sql';
import type { DeliveryDetail } from './read-deliveries';

/** The answers of the operations on the delivery log, for documents and tests. */

type Delivery = Wire<DeliveryView>;
type Attempt = Wire<DeliveryDetail>['attempts'][number];

export const deliveryExample: Delivery = {
  id: '186512345680000832',
  messageId: '186512345679000960',
  endpointId: '186512345677000576',
  eventName: 'submission_completed',
  entityId: submissionExample.id,
  formId: formExample.id,
  status: 'delivered',
  attemptCount: 1,
  nextAttemptAt: null,
  lastOutcome: 'success',
  lastStatusCode: 200,
  lastAttemptAt: '2026-11-20T09:34:12.480Z',
  occurredAt: submissionExample.modifiedAt,
  createdAt: '2026-11-20T09:34:12.402Z',
  finishedAt: '2026-11-20T09:34:12.561Z',
};

const outcome = Joi.string()
  .valid(...outcomes)
  .description('`success`: a 2xx response; `http_…`: another status; otherwise the reason for no response');
const statusCode = Joi.number().integer().min(100).max(999).allow(null);

const members: Joi.StrictSchemaMap<Delivery> = {
  id: wireId.description('id of the delivery'),
  messageId: wireId.description('`Id` of the message, and X-Service-Hook-Id; the same for all endpoints'),
  endpointId: wireId.description('id of the endpoint'),
  eventName: Joi.string().valid(...eventNames),
  entityId: Joi.string()
    .pattern(/^(0|[1-9][0-9]{0,18})$/)
    .meta({ format: 'int64' })
    .description('id of the submission or form; `0` for a test'),
  formId: wireId
    .allow(null)
    .description('the form, or that of the submission; null for a test of tenant settings'),
  status: Joi.string()
    .valid(...deliveryStatuses)
    .description(
      '`failed`: will be retried; `dead`: will not be retried; `cancelled`: its endpoint was removed from the settings, or the data of its submission was erased',
    ),
  attemptCount: Joi.number().integer().min(0),
  nextAttemptAt: wireDate.allow(null).description('time of the next attempt; null: no further attempt'),
  lastOutcome: outcome.allow(null),
  lastStatusCode: statusCode.description('HTTP status of the last attempt; null: no response'),
  lastAttemptAt: wireDate.allow(null),
  occurredAt: wireDate.description('time of the change'),
  createdAt: wireDate.description('time at which the delivery was created'),
  finishedAt: wireDate.allow(null).description('time at which it became delivered, dead or cancelled'),
};

export const delivery = exactObject<Delivery>('WebhookDelivery', members)
  .description('The delivery of one message to one endpoint.')
  .example(deliveryExample);

const ms = Joi.number().min(0);

const attempt = exactObject<Attempt>('WebhookAttempt', {
  number: Joi.number().integer().min(1).description('starting at 1'),
  startedAt: wireDate,
  outcome,
  statusCode: statusCode.description('HTTP status; null: no response'),
  error: Joi.string().allow(null, '').description('description of the failure'),
  url: Joi.string().allow('').description('URL of the request; empty: the request could not be created'),
  remoteAddress: Joi.string().allow(null).description('IP address of the receiver'),
  milliseconds: exactObject<Attempt['milliseconds']>('WebhookAttemptTimes', {
    dns: ms.allow(null),
    connect: ms.allow(null),
    tls: ms.allow(null),
    firstByte: ms.allow(null),
    total: ms,
  }).description('duration of each phase; dns, connect and tls are null if an open connection was reused'),
  requestHeaders: Joi.object<Record<string, string>>()
    .pattern(Joi.string(), Joi.string().allow(''))
    .description('headers of the request, those of the settings masked'),
  responseBody: Joi.string().allow('').description('first 16 KiB as text, echoed secrets masked'),
  responseHeaders: Joi.object<Record<string, string>>()
    .pattern(Joi.string(), Joi.string().allow(''))
    .allow(null)
    .description(
      'headers of the response with names in lower case, the first 4 KiB, credentials masked; null: no response, or not recorded',
    ),
  responseBodyBase64: Joi.string()
    .allow(null)
    .description('the same bytes in base64 if they are not UTF-8 text; null: they are'),
  responseTruncated: Joi.boolean().description('whether the response was longer'),
}).description('One attempt to send a message.');

const detailExample: Wire<DeliveryDetail> = {
  ...deliveryExample,
  messageBody: JSON.stringify({
    Id: deliveryExample.messageId,
    EventName: deliveryExample.eventName,
    Action: 'updated',
    Payload: { submissionId: submissionExample.id, tenantId: '1', ...submissionExample },
  }),
  attempts: [
    {
      number: 1,
      startedAt: '2026-11-20T09:34:12.480Z',
      outcome: 'success',
      statusCode: 200,
      error: null,
      url: 'https://hooks.example.org/canvass',
      remoteAddress: '203.0.113.7',
      milliseconds: { dns: 3.9, connect: 11.2, tls: 23.4, firstByte: 79.6, total: 81.1 },
      requestHeaders: {
        'Content-Type': 'application/json',
        'X-Service-Event': 'submission_completed',
        'X-Service-Entity': 'submission',
        'X-Service-Action': 'updated',
        'X-Service-Hook-Id': deliveryExample.messageId,
        'webhook-id': deliveryExample.messageId,
        'webhook-timestamp': '1795167252',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
        'X-Api-Key': '********',
      },
      responseHeaders: { 'content-type': 'text/plain', date: 'Fri, 20 Nov 2026 09:34:12 GMT' },
      responseBody: 'ok',
      responseBodyBase64: null,
      responseTruncated: false,
    },
  ],
};

const detail = exactObject<Wire<DeliveryDetail>>('WebhookDeliveryDetail', {
  ...members,
  messageBody: Joi.string().description(
    'JSON text: the bytes that are signed and sent, by the present `Payload` and `Format` of the endpoint',
  ),
  attempts: Joi.array()
    .items(attempt.optional())
    .max(keptAttempts)
    .description(`oldest first; only the newest ${keptAttempts}`),
})
  .description('A delivery with its message and its attempts.')
  .example(detailExample);

export const pageOfDeliveries = listAnswer(
  'WebhookDelivery',
  delivery,
  deliveryExample,
  'A page of deliveries.',
);

export const oneDelivery: DescribedAnswer = {
  description: 'The delivery.',
  headers: revisionHeader,
  body: detail,
  example: detailExample,
};

export const resentDelivery: DescribedAnswer = {
  description: 'The delivery, which is due now. Read it again for the result.',
  body: detail,
  headers: { Location: 'the delivery' },
  example: {
    ...detailExample,
    status: 'pending',
    nextAttemptAt: '2026-11-20T12:00:00.015Z',
    finishedAt: null,
  },
};
