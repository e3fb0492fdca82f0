import type { SecretBox } from '@canvass/auth';
import type { Database } from '@canvass/postgres';
import { endpoint, idSchema, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { resolveSettings, type SettingsPlace } from './resolved-settings';
import { resolvedSettings, savedTenantSettings, tenantSettings } from './settings-answers';
import { readTenantSettings, saveTenantSettings, type WebhookSettingsDeps } from './tenant-settings';

const body = Joi.object<{ webHookSettingsJson: string | null; revision?: string }>({
  webHookSettingsJson: Joi.string()
    .allow(null, '')
    .required()
    .description(
      'JSON text; null removes the settings. At most 262144 characters, 20 endpoints per event. `********` as an ApiKey keeps the stored key.',
    )
    .example(
      '{"Events":{"SubmissionCompleted":{"IsEnabled":true,"WebHookEndpoints":[{"Url":"https://hooks.example.org/canvass","Authentication":{"Type":"None"}}]}}}',
    ),
  revision: Joi.any().strip().description('ignored; so that what was read can be sent back'),
}).id('TenantWebhookSettingsBody');

/** Settings of a tenant concern all its forms, so that changing them takes `Tenant.Manage`, not the right to edit a form. */
export function webhookSettingsRoutes(deps: WebhookSettingsDeps): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/api/tenant/webhook-settings',
      operationId: 'getTenantWebhookSettings',
      summary: "The tenant's webhook settings, API keys masked",
      access: { permission: 'WebHooks.View' },
      answers: { 200: tenantSettings },
      async handle({ principal }) {
        const view = await readTenantSettings(deps.db, principal.tenantId);
        return ok(view, { etag: view.revision });
      },
    }),
    endpoint.write({
      method: 'put',
      path: '/api/tenant/webhook-settings',
      operationId: 'saveTenantWebhookSettings',
      summary: "Replaces the tenant's webhook settings",
      description:
        'They govern every form that has none of its own, from this change on. A key is write-only: `********` in its place keeps the stored one for the same URL, or at the same place for the same origin.',
      access: { permission: 'Tenant.Manage' },
      body,
      answers: { 200: savedTenantSettings },
      async handle({ principal, body, ifMatch, traceparent }) {
        const text = body.webHookSettingsJson;
        const view = await saveTenantSettings(deps, principal.tenantId, text, { ifMatch, traceparent });
        return ok(view, { etag: view.revision });
      },
    }),
  ];
}

const place = {
  tenantId: idSchema.description('id of the tenant'),
  scope: Joi.string().valid('tenant', 'form').required().description('whose settings they are'),
  scopeId: idSchema.description('form id or tenant id'),
};
const versions = '/internal/tenants/:tenantId/webhook-settings/:scope/:scopeId';
const noStore = { headers: { 'Cache-Control': 'no-store' } };

/** For the relay, on the internal port only: these answers hold API keys in clear. */
export function webhookSettingsInternalRoutes(deps: { db: Database; box: SecretBox }): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: `${versions}/versions/:version`,
      operationId: 'getWebhookSettingsVersion',
      summary: 'One version of webhook settings, API keys in clear',
      access: 'internal',
      params: Joi.object<SettingsPlace & { version: string }>({
        ...place,
        version: idSchema.description('number of the version, from 1'),
      }),
      answers: { 200: resolvedSettings },
      handle: async ({ params }) => ok(await resolveSettings(deps, params, params.version), noStore),
    }),
    endpoint.read({
      method: 'get',
      path: `${versions}/current`,
      operationId: 'getCurrentWebhookSettings',
      summary: 'The newest version of webhook settings, API keys in clear',
      access: 'internal',
      params: Joi.object<SettingsPlace>(place),
      answers: { 200: resolvedSettings },
      handle: async ({ params }) => ok(await resolveSettings(deps, params, null), noStore),
    }),
  ];
}
