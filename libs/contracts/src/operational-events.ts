import Joi from 'joi';
import type { SettingsScope } from './events';
import { exactObject } from './exact-object';
import { wireDate, wireId } from './wire-types';

/** What every event of a webhook endpoint says. Neither a URL nor a secret; `GET /api/webhooks/endpoints/{id}` has the URL. */
export interface EndpointState {
  id: string;
  scope: SettingsScope;
  /** Form id or tenant id. */
  scopeId: string;
  /** When its failures began, null where it did not fail before the change. */
  failingSince: string | null;
}

export type EndpointFailing = EndpointState & { failures: number };
export type EndpointDisabled = EndpointState & { reason: 'failing' | 'gone' | 'manual' };
export type EndpointRecovered = EndpointState & { reason: 'success' | 'enabled' | 'moved' };

/** A delivery that is not tried any more by itself. */
export interface DeliveryDead {
  id: string;
  endpointId: string;
  /** `Id` of the webhook message, which is the id of the event it tells of. */
  messageId: string;
  /** Of the webhook message, snake_case. */
  eventName: string;
  /** Form or submission that the webhook message tells of. */
  entityId: string;
  formId: string | null;
  attempts: number;
  lastOutcome: string;
  lastStatusCode: number | null;
  occurredAt: string;
}

const endpointMembers: Joi.StrictSchemaMap<EndpointState> = {
  id: wireId.description('the endpoint, as `GET /api/webhooks/endpoints/{id}` knows it'),
  scope: Joi.string<SettingsScope>().valid('form', 'tenant').description('whose webhook settings list it'),
  scopeId: wireId.description('form id or tenant id'),
  failingSince: wireDate
    .allow(null)
    .description('when its failures began; null: it did not fail before the change'),
};

export const endpointFailingSchema = exactObject<EndpointFailing>('EndpointFailing', {
  ...endpointMembers,
  failures: Joi.number().integer().min(1).description('failed attempts in a row'),
}).description('A webhook endpoint that is paused because it keeps failing.');

export const endpointDisabledSchema = exactObject<EndpointDisabled>('EndpointDisabled', {
  ...endpointMembers,
  reason: Joi.string<EndpointDisabled['reason']>()
    .valid('failing', 'gone', 'manual')
    .description('failing: no success for days; gone: it answered 410; manual: a person did it'),
}).description('A webhook endpoint that is sent nothing until it is enabled.');

export const endpointRecoveredSchema = exactObject<EndpointRecovered>('EndpointRecovered', {
  ...endpointMembers,
  reason: Joi.string<EndpointRecovered['reason']>()
    .valid('success', 'enabled', 'moved')
    .description('success: it took a delivery; enabled: a person enabled it; moved: it has another URL'),
}).description('A webhook endpoint that is sent to again.');

export const deliveryDeadSchema = exactObject<DeliveryDead>('DeliveryDead', {
  id: wireId.description('the delivery, as `GET /api/webhooks/deliveries/{id}` knows it'),
  endpointId: wireId.description('the endpoint it was for'),
  messageId: wireId.description('`Id` of the webhook message: the id of the event it tells of'),
  eventName: Joi.string().description('`EventName` of the webhook message'),
  entityId: wireId.description('the form or submission that the webhook message tells of'),
  formId: wireId.allow(null).description('the form of that entity; null: none'),
  attempts: Joi.number().integer().min(1).description('attempts that were made, before a resend too'),
  lastOutcome: Joi.string().description('outcome class of the last attempt'),
  lastStatusCode: Joi.number().integer().allow(null).description('null: the last attempt had no answer'),
  occurredAt: wireDate.description('when the change was made that the webhook message tells of'),
}).description('A delivery that failed to the end of its schedule.');
