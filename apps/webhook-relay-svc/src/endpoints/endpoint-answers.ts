import { exactObject, formExample, wireDate, wireId } from '@canvass/contracts';
import { pageOf, pageSchema, type DescribedAnswer, type Wire, revisionHeader } from '@canvass/service-kit';
import Joi from 'joi';
import { eventNames } from '../webhook-operations';
import { endpointStates } from './endpoints.sql';
import type { EndpointView, SecretView } from './read-endpoints';

/** What the operations on endpoints answer, for documents and tests. */

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
  createdAt: '2026-11-19T15:00:00.480Z',
  modifiedAt: '2026-11-19T15:00:00.480Z',
};

const endpoint = exactObject<Wire<EndpointView>>('WebhookEndpoint', {
  id: wireId.description('id of the endpoint; stays across edits of the settings'),
  scope: Joi.string().valid('tenant', 'form').description('whose settings name it'),
  scopeId: wireId.description('form id or tenant id'),
  url: Joi.string().description('where messages go'),
  state: Joi.string()
    .valid(...endpointStates)
    .description(
      '`disabled`: nothing is sent, deliveries are recorded; `removed`: no longer in the settings',
    ),
  events: Joi.array()
    .items(Joi.string().valid(...eventNames))
    .description('what the current settings send to it'),
  failingSince: wireDate
    .allow(null)
    .description('since when every attempt has failed; null: the last one did not'),
  disabledAt: wireDate.allow(null),
  disabledReason: Joi.string()
    .valid('manual', 'gone', 'failing')
    .allow(null)
    .description('`gone`: it answered 410; `failing`: it failed for too long'),
  removedAt: wireDate.allow(null).description('when the settings stopped to name it'),
  pausedUntil: wireDate
    .allow(null)
    .description('it failed too often in a row: until then nothing is sent, and what is due waits'),
  maxPerSecond: Joi.number()
    .integer()
    .min(1)
    .max(1_000)
    .allow(null)
    .description('deliveries it is sent in any second, by all copies together; null: as many as there are'),
  createdAt: wireDate.description('when the settings first named it'),
  modifiedAt: wireDate.description('when it was last changed'),
})
  .description('A URL that is told of events, and how it does. Never shown with a secret.')
  .example(example);

const secretText = Joi.string()
  .pattern(/^whsec_[A-Za-z0-9+/]+=*$/)
  .description('Standard Webhooks: the key is what follows `whsec_`, in base64')
  .example('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD');

const secretsExample: Wire<SecretView> = {
  endpointId: example.id,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  previous: [{ secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', expiresAt: '2026-11-21T09:00:00.000Z' }],
};

type PreviousSecret = Wire<SecretView>['previous'][number];

const previous = exactObject<PreviousSecret>('PreviousWebhookSecret', {
  secret: secretText,
  expiresAt: wireDate.allow(null).description('until when it signs too'),
});

const secrets = exactObject<Wire<SecretView>>('WebhookSecrets', {
  endpointId: wireId.description('id of the endpoint'),
  secret: secretText.description('the newest; signs from now on'),
  previous: Joi.array()
    .items(previous.optional())
    .max(4)
    .description('older ones that still sign beside it, newest first'),
})
  .description('What signs the messages to an endpoint.')
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

export const pageOfEndpoints: DescribedAnswer = {
  description: 'A page of endpoints.',
  body: pageSchema('WebhookEndpointPage', endpoint),
  example: pageOf([example], 1, { page: 1, pageSize: 10 }),
};

const noStore = { 'Cache-Control': '`no-store`' };

export const currentSecrets: DescribedAnswer = {
  description: 'The secret, and older ones in force.',
  body: secrets,
  headers: noStore,
  example: { ...secretsExample, previous: [] },
};

export const rotatedSecrets: DescribedAnswer = {
  description: 'The new secret, and older ones in force.',
  body: secrets,
  headers: noStore,
  example: secretsExample,
};

export const startedTest: DescribedAnswer = {
  description: 'The message is on its way; its delivery tells what came of it.',
  body: exactObject<{ deliveryId: string }>('WebhookTest', {
    deliveryId: wireId.description('id of the delivery'),
  }),
  headers: { Location: 'the delivery' },
  example: { deliveryId: '186512345681000704' },
};
