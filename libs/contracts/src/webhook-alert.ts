import Joi from 'joi';
import { exactObject } from './exact-object';
import type { SettingsScope } from './webhook-settings';
import { wireDate, wireId } from './wire-types';

/** The settings with an endpoint: those of the tenant or of a form, or the alerts of the tenant. */
export type EndpointScope = SettingsScope | 'alerts';

export const alertKinds = ['failing', 'disable_soon', 'disabled', 'recovered', 'dead_letters'] as const;
export type AlertKind = (typeof alertKinds)[number];

/** The message to the alert URL of a tenant. No event of RabbitMQ causes it. */
export const webhookAlert = { eventName: 'webhook_alert', entity: 'endpoint', action: 'updated' } as const;

/** `Payload` of an alert. */
export interface WebhookAlert {
  kind: AlertKind;
  endpointId: string;
  scope: EndpointScope;
  /** Form id or tenant id. */
  scopeId: string;
  /** Host and path: the query of a URL may be a secret. */
  url: string;
  failingSince: string | null;
  disablesAt: string | null;
  disabledReason: 'failing' | 'gone' | 'manual' | null;
  deadDeliveries: number;
  occurredAt: string;
}

export const webhookAlertSchema = exactObject<WebhookAlert>('WebhookAlert', {
  kind: Joi.string<AlertKind>()
    .valid(...alertKinds)
    .description(
      '`failing`: no success for an hour; `disable_soon`: it will be disabled in a day; `disabled`; `recovered`: it succeeds again; `dead_letters`: deliveries are not retried any more',
    ),
  endpointId: wireId.description('id of the endpoint that the alert is about'),
  scope: Joi.string<EndpointScope>()
    .valid('tenant', 'form', 'alerts')
    .description('settings that contain the endpoint'),
  scopeId: wireId.description('form id or tenant id'),
  url: Joi.string().description('host and path of its URL'),
  failingSince: wireDate.allow(null).description('when its failures began; null if it did not fail'),
  disablesAt: wireDate
    .allow(null)
    .description('when it will be disabled unless it succeeds; only of `failing` and `disable_soon`'),
  disabledReason: Joi.string<'failing' | 'gone' | 'manual'>()
    .valid('failing', 'gone', 'manual')
    .allow(null)
    .description('only of `disabled`'),
  deadDeliveries: Joi.number()
    .integer()
    .min(0)
    .description('dead deliveries since the last alert that reported them'),
  occurredAt: wireDate.description('time of the alert'),
}).description('What a tenant should know of one of its endpoints.');

export const webhookAlertExample: WebhookAlert = {
  kind: 'failing',
  endpointId: '186512345677000576',
  scope: 'form',
  scopeId: '186512345671000064',
  url: 'hooks.example.org/canvass',
  failingSince: '2026-11-19T15:00:00.480Z',
  disablesAt: '2026-11-24T15:00:00.480Z',
  disabledReason: null,
  deadDeliveries: 0,
  occurredAt: '2026-11-19T16:00:12.125Z',
};
