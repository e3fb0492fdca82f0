import { exactObject, wireDate, wireId } from '@canvass/contracts';
import type { Actor } from '@canvass/service-kit';
import Joi from 'joi';
import type { AuditView } from './read.sql';

const text = (what: string) => Joi.string().allow('').description(what);

/** The one who did something. */
export const actorSchema = exactObject<Actor>('AuditActor', {
  provider: text('`Service`, an external provider, or `ops`'),
  kind: Joi.string().valid('user', 'service', 'external', 'operator', 'job').description('what the actor is'),
  subject: text(
    'id of the user or service account, external subject, account of the operator, or name of the job',
  ),
});

/** The members of a recorded action, for schemas of responses. */
export const auditMembers = {
  id: wireId.description('ids grow with time, across the areas'),
  occurredAt: wireDate.description('when it was done'),
  action: text('such as `form.updated`'),
  actor: actorSchema
    .allow(null)
    .description('who did it; null without a verified caller, as in a failed sign-in'),
  object: exactObject<AuditView['object']>('AuditObject', {
    type: text('such as `form`'),
    id: text('its id').allow(null).description('null if the action is about all objects of the type'),
  }).description('what it was done to'),
  address: text('address of the client').allow(null),
  requestId: text('id of the request, which the gateway makes; it is in the logs').allow(null),
  clientRequestId: text('`X-Request-Id` of the client; it may be any').allow(null),
  before: Joi.object().unknown(true).allow(null).description('former values of the members that changed'),
  after: Joi.object().unknown(true).allow(null).description('their new values, or details of the action'),
};

/** An example of a recorded action. */
export const auditExample: AuditView = {
  id: '186512345670000129',
  occurredAt: '2026-11-22T09:49:12.345Z',
  action: 'form.updated',
  actor: { provider: 'Service', kind: 'user', subject: '186512345670000128' },
  object: { type: 'form', id: '186512345670000127' },
  address: '192.0.2.17',
  requestId: '5f6d3c1e-8a52-4a0e-9f67-6f1d0a3c9b11',
  clientRequestId: null,
  before: { isEnabled: false },
  after: { isEnabled: true },
};
