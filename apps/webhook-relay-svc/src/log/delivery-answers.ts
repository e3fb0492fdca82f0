import { exactObject, formExample, submissionExample, wireDate, wireId } from '@canvass/contracts';
import { pageOf, pageSchema, type DescribedAnswer, type Wire, revisionHeader } from '@canvass/service-kit';
import Joi from 'joi';
import { keptAttempts, outcomes } from '../pipeline';
import { eventNames } from '../webhook-operations';
import { deliveryStatuses } from './log.sql';
import type { DeliveryDetail, DeliveryView } from './read-deliveries';

/** What the operations on the delivery log answer, for documents and tests. */

type Delivery = Wire<DeliveryView>;
type Attempt = Wire<DeliveryDetail>['attempts'][number];

const example: Delivery = {
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
  .description('`success`: a 2xx answer; `http_…`: another one; else why there was none');
const statusCode = Joi.number().integer().min(100).max(999).allow(null);

const members: Joi.StrictSchemaMap<Delivery> = {
  id: wireId.description('id of the delivery'),
  messageId: wireId.description('`Id` of the message, and X-Service-Hook-Id; the same for all endpoints'),
  endpointId: wireId.description('the endpoint it is for'),
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
      '`failed`: will be tried again; `dead`: will not; `cancelled`: its endpoint was removed from the settings',
    ),
  attemptCount: Joi.number().integer().min(0),
  nextAttemptAt: wireDate.allow(null).description('when it is due; null: it is not tried again'),
  lastOutcome: outcome.allow(null),
  lastStatusCode: statusCode.description('HTTP status of the last attempt; null: there was no answer'),
  lastAttemptAt: wireDate.allow(null),
  occurredAt: wireDate.description('when the change was made that it tells of'),
  createdAt: wireDate.description('when the delivery was made'),
  finishedAt: wireDate.allow(null).description('when it was delivered, given up or cancelled'),
};

const delivery = exactObject<Delivery>('WebhookDelivery', members)
  .description('One message on its way to one endpoint.')
  .example(example);

const ms = Joi.number().min(0);

const attempt = exactObject<Attempt>('WebhookAttempt', {
  number: Joi.number().integer().min(1).description('from 1'),
  startedAt: wireDate,
  outcome,
  statusCode: statusCode.description('HTTP status; null: there was no answer'),
  error: Joi.string().allow(null, '').description('what went wrong, for people'),
  url: Joi.string().allow('').description('where it was sent; empty: the request could not be made'),
  remoteAddress: Joi.string().allow(null).description('IP address that was connected to'),
  milliseconds: exactObject<Attempt['milliseconds']>('WebhookAttemptTimes', {
    dns: ms.allow(null),
    connect: ms.allow(null),
    tls: ms.allow(null),
    firstByte: ms.allow(null),
    total: ms,
  }).description('how long each part took; dns, connect and tls are null where a kept connection was used'),
  requestHeaders: Joi.object<Record<string, string>>()
    .pattern(Joi.string(), Joi.string().allow(''))
    .description('as sent, API keys masked'),
  responseBody: Joi.string().allow('').description('first 16 KiB as text, secrets that came back masked'),
  responseTruncated: Joi.boolean().description('whether the answer was longer'),
}).description('One try to send a message.');

const detailExample: Wire<DeliveryDetail> = {
  ...example,
  messageBody: JSON.stringify({
    Id: example.messageId,
    EventName: example.eventName,
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
        'X-Service-Hook-Id': example.messageId,
        'webhook-id': example.messageId,
        'webhook-timestamp': '1795167252',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
        'X-Api-Key': '********',
      },
      responseBody: 'ok',
      responseTruncated: false,
    },
  ],
};

const detail = exactObject<Wire<DeliveryDetail>>('WebhookDeliveryDetail', {
  ...members,
  messageBody: Joi.string().description('the message, JSON text: the bytes that are signed and sent'),
  attempts: Joi.array()
    .items(attempt.optional())
    .max(keptAttempts)
    .description(`oldest first; of more than ${keptAttempts} the newest`),
})
  .description('A delivery with its message and its attempts.')
  .example(detailExample);

export const pageOfDeliveries: DescribedAnswer = {
  description: 'A page of deliveries.',
  body: pageSchema('WebhookDeliveryPage', delivery),
  example: pageOf([example], 1, { page: 1, pageSize: 10 }),
};

export const oneDelivery: DescribedAnswer = {
  description: 'The delivery.',
  headers: revisionHeader,
  body: detail,
  example: detailExample,
};

export const resentDelivery: DescribedAnswer = {
  description: 'It is due now; read it again to see what came of it.',
  body: detail,
  headers: { Location: 'the delivery' },
  example: {
    ...detailExample,
    status: 'pending',
    nextAttemptAt: '2026-11-20T12:00:00.015Z',
    finishedAt: null,
  },
};
