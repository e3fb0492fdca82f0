import { exactObject, formExample, wireDate, wireId } from '@canvass/contracts';
import { listAnswer, type DescribedAnswer, type Wire, revisionHeader } from '@canvass/service-kit';
import Joi from 'joi';
import { eventNames, maxPerSecond } from '../webhook-operations';
import { endpointStates, type EndpointView } from './endpoints.sql';
import type { SecretView } from './secrets';

/** The answers of the operations on endpoints, for documents and tests. */

const example: Wire<EndpointView> = {
  id: '186512345677000576',
  scope: 'form',
  scopeId: formExample.id,
  url: 'https://hooks.example.org/canvass',
  state: 'enabled',
  events: ['submission_completed'],
  failingSince: null,
  disabledAt: null,
  disabledReason: null,
  removedAt: null,
  pausedUntil: null,
  maxPerSecond: null,
  filteredOut: 0,
  createdAt: '2026-11-19T15:00:00.480Z',
  modifiedAt: '2026-11-19T15:00:00.480Z',
};

const endpoint = exactObject<Wire<EndpointView>>('WebhookEndpoint', {
  id: wireId.description('id of the endpoint; edits of the settings keep it'),
  scope: Joi.string()
    .valid('tenant', 'form', 'alerts')
    .description('whether it is in the settings of the tenant or of a form, or is the alert URL'),
  scopeId: wireId.description('form id or tenant id'),
  url: Joi.string().description('URL of the receiver'),
  state: Joi.string()
    .valid(...endpointStates)
    .description(
      '`disabled`: nothing is sent, deliveries are recorded; `removed`: no longer in the settings',
    ),
  events: Joi.array()
    .items(Joi.string().valid(...eventNames))
    .description('event types in the current settings'),
  failingSince: wireDate
    .allow(null)
    .description('time since which all attempts have failed; null: the last attempt succeeded'),
  disabledAt: wireDate.allow(null),
  disabledReason: Joi.string()
    .valid('manual', 'gone', 'failing')
    .allow(null)
    .description('`manual`: by a user; `gone`: it returned 410; `failing`: no success for too long'),
  removedAt: wireDate.allow(null).description('time at which it was removed from the settings'),
  pausedUntil: wireDate
    .allow(null)
    .description('end of the pause after too many consecutive failures; due deliveries wait until then'),
  maxPerSecond,
  filteredOut: Joi.number()
    .integer()
    .min(0)
    .description('events that its filters left out; one that was handled again counts again'),
  createdAt: wireDate.description('time at which it was added to the settings'),
  modifiedAt: wireDate.description('time of the last change'),
})
  .description('A receiver of events with its state, without secrets.')
  .example(example);

const secretText = Joi.string()
  .pattern(/^whsec_[A-Za-z0-9+/]+=*$/)
  .description('Standard Webhooks: `whsec_` and the key in base64')
  .example('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD');

const secretsExample: Wire<SecretView> = {
  endpointId: example.id,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  previous: [{ secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', expiresAt: '2026-11-21T09:00:00.000Z' }],
};

type PreviousSecret = Wire<SecretView>['previous'][number];

const previous = exactObject<PreviousSecret>('PreviousWebhookSecret', {
  secret: secretText,
  expiresAt: wireDate.allow(null).description('time until which it also signs'),
});

const secrets = exactObject<Wire<SecretView>>('WebhookSecrets', {
  endpointId: wireId.description('id of the endpoint'),
  secret: secretText.description('the newest secret, which signs all messages'),
  previous: Joi.array()
    .items(previous.optional())
    .max(4)
    .description('older secrets that are still valid, newest first'),
})
  .description('The signing secrets of an endpoint.')
  .example(secretsExample);

export const oneEndpoint: DescribedAnswer = {
  description: 'The endpoint.',
  body: endpoint,
  headers: revisionHeader,
  example,
};

export const limitedEndpoint: DescribedAnswer = {
  ...oneEndpoint,
  example: { ...example, maxPerSecond: 50, modifiedAt: '2026-11-20T11:20:04.310Z' },
};

export const disabledEndpoint: DescribedAnswer = {
  ...oneEndpoint,
  example: {
    ...example,
    state: 'disabled',
    disabledAt: '2026-11-20T11:20:04.310Z',
    disabledReason: 'manual',
    modifiedAt: '2026-11-20T11:20:04.310Z',
  },
};

export const pageOfEndpoints = listAnswer('WebhookEndpoint', endpoint, example, 'A page of endpoints.');

const noStore = { 'Cache-Control': '`no-store`' };

export const currentSecrets: DescribedAnswer = {
  description: 'The secret, and older secrets that are still valid.',
  body: secrets,
  headers: noStore,
  example: { ...secretsExample, previous: [] },
};

export const rotatedSecrets: DescribedAnswer = {
  description: 'The new secret, and older secrets that are still valid.',
  body: secrets,
  headers: noStore,
  example: secretsExample,
};

export const startedTest: DescribedAnswer = {
  description: 'The delivery of the test message, which has the result.',
  body: exactObject<{ deliveryId: string }>('WebhookTest', {
    deliveryId: wireId.description('id of the delivery'),
  }),
  headers: { Location: 'the delivery' },
  example: { deliveryId: '186512345681000704' },
};
