import type { SecretBox } from '@canvass/auth';
import type { WebhookSettings } from '@canvass/contracts';
import type { Database } from '@canvass/postgres';
import { endpoint, idSchema, noContent, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { assertSettingsLength, settingsContent, settingsSchema } from './parse-settings';
import { resolveSettings, type SettingsPlace } from './resolved-settings';
import { checkSettings } from './check-settings';
import { maskedSettings, resolvedSettings, savedTenantSettings, tenantSettings } from './settings-answers';
import { readTenantSettings, saveTenantSettings, type WebhookSettingsDeps } from './tenant-settings';

const body = Joi.object<{ webHookSettingsJson: string | null; revision?: string }>({
  webHookSettingsJson: Joi.string()
    .allow(null, '')
    .required()
    .meta(settingsContent)
    .description(
      'JSON text; null removes the settings. At most 262144 characters, 20 endpoints per event. `********` keeps the stored secret of the same URL and header, client or certificate.',
    )
    .example(
      '{"Events":{"SubmissionCompleted":{"IsEnabled":true,"WebHookEndpoints":[{"Url":"https://hooks.example.org/canvass","Authentication":{"Type":"None"}}]}}}',
    ),
  revision: Joi.any().strip().description('ignored, so that a response can be sent back'),
}).id('TenantWebhookSettingsBody');

const checkBody = Joi.object<{ settings: WebhookSettings }>({ settings: settingsSchema.required() })
  .example({ settings: maskedSettings })
  .id('WebhookSettingsCheck');

/**
 * The settings of a tenant affect all its forms, so changing them requires `Tenant.Manage`, not the right to
 * edit a form.
 */
export function webhookSettingsRoutes(deps: WebhookSettingsDeps): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/api/tenant/webhook-settings',
      operationId: 'getTenantWebhookSettings',
      summary: 'The webhook settings of the tenant, with masked secrets',
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
      audit: { action: 'webhook_settings.updated' },
      summary: 'Replaces the webhook settings of the tenant',
      description:
        'From then on they govern every form without an override. Secrets are write-only: `********` keeps the stored one of the same URL and header, client or certificate.',
      access: { permission: 'Tenant.Manage' },
      body,
      answers: { 200: savedTenantSettings },
      problems: ['quota_exceeded'],
      async handle({ principal, body, ifMatch, traceparent }) {
        const text = body.webHookSettingsJson;
        const view = await saveTenantSettings(deps, principal.tenantId, text, { ifMatch, traceparent });
        return ok(view, { etag: view.revision });
      },
    }),
    endpoint.read({
      method: 'post',
      path: '/api/webhooks/settings/check',
      operationId: 'checkWebhookSettings',
      summary: 'Checks webhook settings without saving them',
      description:
        'Names the faults that a save would find, including URLs whose host webhooks may not reach. It does not look at what is stored: a masked secret is accepted, and the quota of endpoints is not checked.',
      access: { permission: 'Forms.Edit' },
      body: checkBody,
      answers: { 204: { description: 'The settings have no fault.' } },
      async handle({ body: { settings } }) {
        assertSettingsLength(settings);
        await checkSettings(settings, deps.rules, 'settings');
        return noContent();
      },
    }),
  ];
}

const place = {
  tenantId: idSchema.description('id of the tenant'),
  scope: Joi.string().valid('tenant', 'form').required().description('level of the settings'),
  scopeId: idSchema.description('id of the form or tenant'),
};
const versions = '/internal/tenants/:tenantId/webhook-settings/:scope/:scopeId';
const noStore = { headers: { 'Cache-Control': 'no-store' } };

/** Endpoints for the relay, on the internal port only: these responses contain secrets in plain text. */
export function webhookSettingsInternalRoutes(deps: { db: Database; box: SecretBox }): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: `${versions}/versions/:version`,
      operationId: 'getWebhookSettingsVersion',
      summary: 'One version of webhook settings, with secrets in plain text',
      access: 'internal',
      params: Joi.object<SettingsPlace & { version: string }>({
        ...place,
        version: idSchema.description('id of the version'),
      }),
      answers: { 200: resolvedSettings },
      handle: async ({ params }) => ok(await resolveSettings(deps, params, params.version), noStore),
    }),
    endpoint.read({
      method: 'get',
      path: `${versions}/current`,
      operationId: 'getCurrentWebhookSettings',
      summary: 'The newest version of webhook settings, with secrets in plain text',
      access: 'internal',
      params: Joi.object<SettingsPlace>(place),
      answers: { 200: resolvedSettings },
      handle: async ({ params }) => ok(await resolveSettings(deps, params, null), noStore),
    }),
  ];
}
