import { recordAudit } from '@canvass/audit';
import type { SecretBox } from '@canvass/auth';
import type { Database, PostgresIdempotencyStore } from '@canvass/postgres';
import { accepted, endpoint, idSchema, listParameters, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { eventNames, idOf, manage, maxPerSecond, view } from '../webhook-operations';
import {
  currentSecrets,
  disabledEndpoint,
  limitedEndpoint,
  oneEndpoint,
  pageOfEndpoints,
  rotatedSecrets,
  startedTest,
} from './endpoint-answers';
import {
  disableEndpoint,
  enableEndpoint,
  endpointStates,
  limitEndpoint,
  type EndpointState,
} from './endpoints.sql';
import { changeEndpoint, readEndpoint, readEndpoints, revisionOf } from './endpoints';
import { readSecret, rotate } from './secrets';
import { makeTest } from './send-test';

const params = idOf('endpoint');

const listQuery = listParameters<{ formId?: string; state?: EndpointState }>({
  formId: idSchema.description('only those in the settings of this form'),
  state: Joi.string()
    .valid(...endpointStates)
    .description('only those in this state'),
});

const rotation = Joi.object<{ overlapSeconds?: number }>({
  overlapSeconds: Joi.number()
    .integer()
    .min(0)
    .max(7 * 24 * 3_600)
    .description(
      'how long the older secrets stay valid; 0 ends them at once; default is the configured time (24 h)',
    ),
})
  .optional()
  .example({ overlapSeconds: 3600 })
  .id('SecretRotation');

const limit = Joi.object<{ maxPerSecond?: number | null }>({
  maxPerSecond: maxPerSecond.example(50),
})
  .required()
  .id('WebhookEndpointLimit');

const test = Joi.object<{ eventName?: string }>({
  eventName: Joi.string()
    .valid(...eventNames)
    .description('one of the event types of the endpoint; default is the first'),
})
  .optional()
  .example({ eventName: eventNames[0] })
  .id('WebhookTestBody');

const noStore = { headers: { 'Cache-Control': 'no-store' } };

interface EndpointRoutesDeps {
  db: Database;
  box: SecretBox;
  idempotency: PostgresIdempotencyStore;
  /** `Service:WebHooks:SecretOverlapHours` */
  secretOverlapHours: number;
  /** Called when an endpoint was enabled, or its limit changed: its deliveries may start. */
  onEnabled(): void;
}

export function endpointRoutes(deps: EndpointRoutesDeps): Endpoint[] {
  const { db, box, onEnabled } = deps;
  return [
    endpoint.read({
      method: 'get',
      path: '/api/webhooks/endpoints',
      operationId: 'listWebhookEndpoints',
      summary: 'The endpoints of the tenant, newest first.',
      access: view,
      query: listQuery,
      answers: { 200: pageOfEndpoints },
      async handle({ principal: { tenantId }, query: { formId = null, state = null, ...window } }) {
        return ok(await readEndpoints(db, { tenantId, formId, state }, window));
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/webhooks/endpoints/:id',
      operationId: 'getWebhookEndpoint',
      summary: 'One endpoint with its state.',
      access: view,
      params,
      answers: { 200: oneEndpoint },
      async handle({ principal: { tenantId }, params: { id } }) {
        const found = await readEndpoint(db, tenantId, id);
        return ok(found, { etag: revisionOf(found) });
      },
    }),
    endpoint.write({
      method: 'patch',
      path: '/api/webhooks/endpoints/:id',
      operationId: 'limitWebhookEndpoint',
      audit: { action: 'webhook_endpoint.limited' },
      summary: 'Sets or removes the rate limit of an endpoint.',
      access: manage,
      params,
      body: limit,
      answers: { 200: limitedEndpoint },
      async handle({ principal: { tenantId }, params: { id }, body: { maxPerSecond }, ifMatch }) {
        const sets = maxPerSecond !== undefined;
        const change = limitEndpoint({ tenantId, id, sets, maxPerSecond: maxPerSecond ?? null });
        const limited = await changeEndpoint(db, { tenantId, id, ifMatch }, change);
        onEnabled();
        return ok(limited, { etag: revisionOf(limited) });
      },
    }),
    endpoint.write({
      method: 'post',
      path: '/api/webhooks/endpoints/:id/enable',
      operationId: 'enableWebhookEndpoint',
      audit: { action: 'webhook_endpoint.enabled' },
      summary: 'Enables an endpoint and sends its recorded deliveries.',
      description: 'An enabled endpoint is not changed.',
      access: manage,
      params,
      answers: { 200: oneEndpoint },
      async handle({ principal: { tenantId }, params: { id }, ifMatch, traceparent }) {
        const change = enableEndpoint({ tenantId, id, traceparent });
        const enabled = await changeEndpoint(db, { tenantId, id, ifMatch }, change);
        onEnabled();
        return ok(enabled, { etag: revisionOf(enabled) });
      },
    }),
    endpoint.write({
      method: 'post',
      path: '/api/webhooks/endpoints/:id/disable',
      operationId: 'disableWebhookEndpoint',
      audit: { action: 'webhook_endpoint.disabled' },
      summary: 'Disables an endpoint. Its deliveries are recorded until it is enabled.',
      description: 'A disabled endpoint is not changed and keeps its reason.',
      access: manage,
      params,
      answers: { 200: disabledEndpoint },
      async handle({ principal: { tenantId }, params: { id }, ifMatch, traceparent }) {
        const change = disableEndpoint({ tenantId, id, traceparent });
        const disabled = await changeEndpoint(db, { tenantId, id, ifMatch }, change);
        return ok(disabled, { etag: revisionOf(disabled) });
      },
    }),
    testRoute(deps),
    endpoint.read({
      method: 'get',
      path: '/api/webhooks/endpoints/:id/secret',
      operationId: 'getWebhookEndpointSecret',
      audit: { action: 'webhook_endpoint.secret_read' },
      summary: 'The signing secret of an endpoint.',
      access: manage,
      params,
      answers: { 200: currentSecrets },
      async handle({ principal: { tenantId }, params: { id } }) {
        const secret = await readSecret(db, box, { tenantId, endpointId: id });
        await recordAudit(db, { tenantId, object: ['webhook_endpoint', id] });
        return ok(secret, noStore);
      },
    }),
    rotateRoute(deps),
  ];
}

function testRoute({ idempotency }: Omit<EndpointRoutesDeps, 'db'>): Endpoint {
  return endpoint.write({
    method: 'post',
    path: '/api/webhooks/endpoints/:id/test',
    operationId: 'testWebhookEndpoint',
    audit: { action: 'webhook_endpoint.tested' },
    summary: 'Sends a test message to an endpoint.',
    description:
      'The message is signed and sent like any other, but not retried. It is the example of the event in the document of webhooks, with `isTestEvent: true` in its `Payload`. Returns 409 if the endpoint is disabled or removed.',
    access: manage,
    params,
    body: test,
    idempotency: { store: idempotency },
    answers: { 202: startedTest },
    problems: ['conflict'],
    async handle({ principal: { tenantId }, params: { id }, body, traceparent, db, wake }) {
      const eventName = body?.eventName ?? null;
      const deliveryId = await makeTest(db, { tenantId, id, eventName, traceparent });
      wake();
      return accepted({ deliveryId }, { location: `/api/webhooks/deliveries/${deliveryId}` });
    },
  });
}

function rotateRoute({ box, idempotency, secretOverlapHours }: Omit<EndpointRoutesDeps, 'db'>): Endpoint {
  return endpoint.write({
    method: 'post',
    path: '/api/webhooks/endpoints/:id/rotate-secret',
    operationId: 'rotateWebhookEndpointSecret',
    audit: { action: 'webhook_endpoint.secret_rotated' },
    summary: 'Rotates the signing secret of an endpoint. The older secrets stay valid for an overlap.',
    description:
      'Each request has a signature for every valid secret, so that a receiver can switch at any time. At most 5 secrets are valid; a further rotation returns 409.',
    access: manage,
    params,
    body: rotation,
    idempotency: { store: idempotency },
    answers: { 200: rotatedSecrets },
    problems: ['conflict'],
    async handle({ principal: { tenantId }, params: { id }, body, db }) {
      const overlapSeconds = body?.overlapSeconds ?? secretOverlapHours * 3_600;
      return ok(await rotate(db, box, { tenantId, endpointId: id }, overlapSeconds), noStore);
    },
  });
}
