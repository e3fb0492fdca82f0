import Joi from 'joi';
import { exactObject } from './exact-object';
import type { EndpointScope } from './webhook-alert';
import { wireDate, wireId } from './wire-types';

/**
 * The data of every event of a webhook endpoint. It has no URL and no secret; `GET
 * /api/webhooks/endpoints/{id}` returns the URL.
 */
export interface EndpointState {
  id: string;
  scope: EndpointScope;
  /** Form id or tenant id. */
  scopeId: string;
  /** The time when its failures began; null if it did not fail before the change. */
  failingSince: string | null;
}

export type EndpointFailing = EndpointState & { failures: number };
export type EndpointDisabled = EndpointState & { reason: 'failing' | 'gone' | 'manual' };
export type EndpointRecovered = EndpointState & { reason: 'success' | 'enabled' };

/** A delivery that is not retried automatically any more. */
export interface DeliveryDead {
  id: string;
  endpointId: string;
  /** `Id` of the webhook message, which is the id of its event. */
  messageId: string;
  /** `EventName` of the webhook message, in snake_case. */
  eventName: string;
  /** The form or submission of the webhook message. */
  entityId: string;
  formId: string | null;
  attempts: number;
  lastOutcome: string;
  lastStatusCode: number | null;
  occurredAt: string;
}

const endpointMembers: Joi.StrictSchemaMap<EndpointState> = {
  id: wireId.description('id of the endpoint, as in `GET /api/webhooks/endpoints/{id}`'),
  scope: Joi.string<EndpointScope>()
    .valid('form', 'tenant', 'alerts')
    .description('settings that contain it; `alerts`: it is the alert URL'),
  scopeId: wireId.description('id of the form or tenant'),
  failingSince: wireDate
    .allow(null)
    .description('when its failures began; null if it did not fail before the change'),
};

export const endpointFailingSchema = exactObject<EndpointFailing>('EndpointFailing', {
  ...endpointMembers,
  failures: Joi.number().integer().min(1).description('failed attempts in a row'),
}).description('A webhook endpoint whose circuit is open because it keeps failing.');

export const endpointDisabledSchema = exactObject<EndpointDisabled>('EndpointDisabled', {
  ...endpointMembers,
  reason: Joi.string<EndpointDisabled['reason']>()
    .valid('failing', 'gone', 'manual')
    .description('failing: no success for days; gone: it answered 410; manual: disabled by a person'),
}).description('A webhook endpoint that gets no deliveries until it is enabled.');

export const endpointRecoveredSchema = exactObject<EndpointRecovered>('EndpointRecovered', {
  ...endpointMembers,
  reason: Joi.string<EndpointRecovered['reason']>()
    .valid('success', 'enabled')
    .description('success: it accepted a delivery; enabled: enabled by a person'),
}).description('A webhook endpoint that gets deliveries again.');

export const deliveryDeadSchema = exactObject<DeliveryDead>('DeliveryDead', {
  id: wireId.description('id of the delivery, as in `GET /api/webhooks/deliveries/{id}`'),
  endpointId: wireId.description('the endpoint of the delivery'),
  messageId: wireId.description('`Id` of the webhook message, which is the id of its event'),
  eventName: Joi.string().description('`EventName` of the webhook message'),
  entityId: wireId.description('the form or submission of the webhook message'),
  formId: wireId.allow(null).description('the form of that entity; null without one'),
  attempts: Joi.number().integer().min(1).description('number of attempts, including those before a resend'),
  lastOutcome: Joi.string().description('outcome class of the last attempt'),
  lastStatusCode: Joi.number().integer().allow(null).description('null if the last attempt got no response'),
  occurredAt: wireDate.description('time of the change that caused the webhook message'),
}).description('A delivery that used up its retry schedule.');
