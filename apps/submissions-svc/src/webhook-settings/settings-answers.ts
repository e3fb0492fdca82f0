import {
  secretMask,
  exactObject,
  formExample,
  webhookEventNames,
  webhookFormats,
  webhookPayloads,
  wireId,
  type EventCondition,
  type ResolvedAuthentication,
  type ResolvedWebhookEndpoint,
  type ResolvedWebhookSettings,
  type WebhookSettings,
} from '@canvass/contracts';
import { revisionHeader, type DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import type { TenantSettingsView } from './tenant-settings';

/** Responses of the operations on webhook settings, for documents and tests. */

const settingsExample: WebhookSettings = {
  Events: {
    SubmissionCompleted: {
      IsEnabled: true,
      WebHookEndpoints: [
        {
          Url: 'https://hooks.example.org/canvass',
          Authentication: { Type: 'ApiKey', ApiKeyHeader: 'X-Api-Key', ApiKey: secretMask },
        },
      ],
    },
  },
};

/** Settings in a response. */
export const maskedSettings = settingsExample;
export const maskedSettingsExample = JSON.stringify(settingsExample);

/** JSON text of settings for a response, or null. */
export const maskedSettingsText = Joi.string().allow(null).example(maskedSettingsExample);

const viewExample: TenantSettingsView = { webHookSettingsJson: maskedSettingsExample, revision: '1' };

const view = exactObject<TenantSettingsView>('TenantWebhookSettings', {
  webHookSettingsJson: maskedSettingsText.description(
    'JSON text with masked secrets; null if the tenant has no webhook settings',
  ),
  revision: Joi.string()
    .pattern(/^(0|[1-9][0-9]{0,18})$/)
    .meta({ format: 'int64' })
    .description('grows by exactly 1 with every change; `0` before the first save'),
})
  .description('Webhook settings of all forms without an override.')
  .example(viewExample);

export const tenantSettings: DescribedAnswer = {
  description: 'The settings.',
  body: view,
  headers: revisionHeader,
  example: viewExample,
};

export const savedTenantSettings: DescribedAnswer = {
  ...tenantSettings,
  description: 'The current settings. Saving equal settings changes nothing.',
  example: { ...viewExample, revision: '2' },
};

type Kind<T extends ResolvedAuthentication['type']> = Extract<ResolvedAuthentication, { type: T }>;

const authentication = Joi.alternatives(
  exactObject<Kind<'None'>>('NoAuthentication', { type: Joi.string().valid('None') }),
  exactObject<Kind<'ApiKey'>>('ApiKeyAuthentication', {
    type: Joi.string().valid('ApiKey'),
    header: Joi.string().max(128).description('name of the header for the key'),
    apiKey: Joi.string().max(4096).description('in clear'),
  }),
  exactObject<Kind<'OAuth2'>>('OAuth2Authentication', {
    type: Joi.string().valid('OAuth2'),
    tokenUrl: Joi.string(),
    clientId: Joi.string(),
    clientSecret: Joi.string().max(4096).description('in clear'),
    scope: Joi.string().allow(null),
  }),
);

const condition = exactObject<EventCondition>('EventCondition', {
  of: Joi.string().valid('member', 'profile', 'answer'),
  name: Joi.string(),
  kind: Joi.string().valid('number', 'time', 'text'),
  operator: Joi.string().valid(':', '!:', '>:', '<:', '>', '<', '~:'),
  values: Joi.array().items(Joi.string().allow(null, '').optional()),
});

type Certificate = NonNullable<ResolvedWebhookEndpoint['clientCertificate']>;

const endpoint = exactObject<ResolvedWebhookEndpoint>(
  'ResolvedWebhookEndpoint',
  {
    endpointId: wireId.description('stable across changes of the settings'),
    url: Joi.string(),
    authentication,
  },
  {
    conditions: Joi.array().items(condition.optional()),
    headers: Joi.object<Record<string, string>>()
      .pattern(Joi.string(), Joi.string())
      .description('values in clear'),
    payload: Joi.string().valid(...webhookPayloads),
    format: Joi.string().valid(...webhookFormats),
    clientCertificate: exactObject<Certificate>('ResolvedClientCertificate', {
      certificate: Joi.string(),
      privateKey: Joi.string().description('in clear'),
    }),
  },
);

type ResolvedEvent = NonNullable<ResolvedWebhookSettings['events']['FormCreated']>;

const event = exactObject<ResolvedEvent>('ResolvedWebhookEvent', {
  isEnabled: Joi.boolean(),
  endpoints: Joi.array().items(endpoint.optional()),
}).optional();

const resolvedExample: ResolvedWebhookSettings = {
  tenantId: '1',
  scope: 'form',
  scopeId: formExample.id,
  version: '186512345670000064',
  events: {
    SubmissionCompleted: {
      isEnabled: true,
      endpoints: [
        {
          endpointId: '186512345677000576',
          url: 'https://hooks.example.org/canvass',
          authentication: { type: 'ApiKey', header: 'X-Api-Key', apiKey: 'a key in plain text' },
        },
      ],
    },
  },
};

export const resolvedSettings: DescribedAnswer = {
  description: 'The version, with secrets in plain text.',
  body: exactObject<ResolvedWebhookSettings>('ResolvedWebhookSettings', {
    tenantId: wireId,
    scope: Joi.string().valid('tenant', 'form'),
    scopeId: wireId.description('id of the form or tenant'),
    version: wireId.description('an id; a later version has a larger one'),
    events: Joi.object<ResolvedWebhookSettings['events']>(
      Object.fromEntries(webhookEventNames.map((name) => [name, event])),
    ).description('by event; an absent event has no endpoints'),
  }).description('One version of webhook settings.'),
  headers: { 'Cache-Control': '`no-store`' },
  example: resolvedExample,
};
