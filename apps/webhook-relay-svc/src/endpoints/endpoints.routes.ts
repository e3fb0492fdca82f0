import { requirePermission, type SecretBox } from '@canvass/auth';
import type { Database } from '@canvass/postgres';
import { endpoint, idSchema, ok, pageQuery, type Endpoint, type PageQuery } from '@canvass/service-kit';
import Joi from 'joi';
import { disableEndpoint, enableEndpoint, endpointStates, type EndpointState } from './endpoints.sql';
import { readEndpoint, readEndpoints, readSecret } from './read-endpoints';

const view = { permission: 'WebHooks.View' } as const;
const manage = { permission: 'WebHooks.Manage' } as const;

const params = Joi.object<{ id: string }>({ id: idSchema.required() });

interface ListQuery extends PageQuery {
  formId?: string;
  state?: EndpointState;
}

export interface EndpointRoutesDeps {
  db: Database;
  box: SecretBox;
  /** Called when an endpoint was enabled: its deliveries may be due. */
  onEnabled(): void;
}

export function endpointRoutes({ db, box, onEnabled }: EndpointRoutesDeps): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/api/webhooks/endpoints',
      operationId: 'listWebhookEndpoints',
      summary: 'The endpoints of the tenant, newest first.',
      access: view,
      query: Joi.object<ListQuery>({
        ...pageQuery(),
        formId: idSchema,
        state: Joi.string().valid(...endpointStates),
      }),
      async handle({ principal, query: { formId, state, ...paging } }) {
        const { tenantId } = requirePermission(principal, view.permission);
        return ok(await readEndpoints(db, { tenantId, formId, state }, paging));
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/webhooks/endpoints/:id',
      operationId: 'getWebhookEndpoint',
      summary: 'One endpoint with its state.',
      access: view,
      params,
      async handle({ principal, params: { id } }) {
        const { tenantId } = requirePermission(principal, view.permission);
        return ok(await readEndpoint(db, tenantId, id));
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/webhooks/endpoints/:id/secret',
      operationId: 'getWebhookEndpointSecret',
      summary: 'The secret that signs what the endpoint is sent.',
      access: manage,
      params,
      async handle({ principal, params: { id } }) {
        const { tenantId } = requirePermission(principal, manage.permission);
        return ok(await readSecret(db, box, tenantId, id), { headers: { 'Cache-Control': 'no-store' } });
      },
    }),
    endpoint.write({
      method: 'post',
      path: '/api/webhooks/endpoints/:id/enable',
      operationId: 'enableWebhookEndpoint',
      summary: 'Sends to the endpoint again, what was recorded meanwhile included.',
      access: manage,
      params,
      async handle({ principal, params: { id } }) {
        const { tenantId } = requirePermission(principal, manage.permission);
        await db.query(enableEndpoint, [tenantId, id]);
        const enabled = await readEndpoint(db, tenantId, id);
        onEnabled();
        return ok(enabled);
      },
    }),
    endpoint.write({
      method: 'post',
      path: '/api/webhooks/endpoints/:id/disable',
      operationId: 'disableWebhookEndpoint',
      summary: 'Sends nothing to the endpoint until it is enabled; its deliveries are recorded.',
      access: manage,
      params,
      async handle({ principal, params: { id } }) {
        const { tenantId } = requirePermission(principal, manage.permission);
        await db.query(disableEndpoint, [tenantId, id, 'manual']);
        return ok(await readEndpoint(db, tenantId, id));
      },
    }),
  ];
}
