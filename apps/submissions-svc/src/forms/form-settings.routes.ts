import { requirePermission } from '@canvass/auth';
import type { WebhookSettings } from '@canvass/contracts';
import type { Database } from '@canvass/postgres';
import { endpoint, noContent, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { formParams } from '../form-params';
import { maskedSettings, settingsSchema, type WebhookSettingsDeps } from '../webhook-settings';
import { oneFormSettings, savedFormSettings } from './form-answers';
import { readFormSettings, saveFormSettings } from './form-settings';

const path = '/api/forms/:formId/webhook-settings';

const body = Joi.object<{ settings: WebhookSettings; revision?: string }>({
  settings: settingsSchema.required(),
  revision: Joi.any().strip().description('ignored, so that a response can be sent back'),
})
  .example({ settings: maskedSettings })
  .id('FormWebhookSettingsBody');

/** Webhook settings of one form, apart from the form and with a revision of their own. */
export function formSettingsRoutes(deps: WebhookSettingsDeps & { db: Database }): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path,
      operationId: 'getFormWebhookSettings',
      summary: 'The webhook settings of a form, with masked secrets',
      access: { permission: 'WebHooks.View' },
      params: formParams,
      answers: { 200: oneFormSettings },
      async handle({ principal, params: { formId } }) {
        const view = await readFormSettings(deps.db, principal.tenantId, formId);
        return ok(view, { etag: view.revision });
      },
    }),
    endpoint.write({
      method: 'put',
      path,
      operationId: 'saveFormWebhookSettings',
      audit: { action: 'form.updated' },
      summary: 'Replaces the webhook settings of a form; equal settings change nothing',
      description:
        'They replace those of the tenant for this form; `{}` sends no webhooks. `If-Match` takes the revision of the settings, not of the form. The revision of the form grows, but no `form_updated` is emitted. At most 262144 characters as JSON, 20 endpoints per event. `********` keeps the stored secret of the same URL and header, client or certificate. Requires `WebHooks.View`, too.',
      access: { permission: 'Forms.Edit' },
      params: formParams,
      body,
      answers: { 200: savedFormSettings },
      problems: ['quota_exceeded'],
      async handle({ principal, params, body: { settings }, ifMatch, traceparent }) {
        requirePermission(principal, 'WebHooks.View');
        const form = { tenantId: principal.tenantId, ...params };
        const view = await saveFormSettings(deps, form, settings, { ifMatch, traceparent });
        return ok(view, { etag: view.revision });
      },
    }),
    endpoint.write({
      method: 'delete',
      path,
      operationId: 'removeFormWebhookSettings',
      audit: { action: 'form.updated' },
      summary: 'Removes the webhook settings of a form; those of the tenant apply',
      description: 'Requires `WebHooks.View`, too.',
      access: { permission: 'Forms.Edit' },
      params: formParams,
      answers: { 204: { description: 'The form has no webhook settings of its own.' } },
      async handle({ principal, params, ifMatch, traceparent }) {
        requirePermission(principal, 'WebHooks.View');
        const form = { tenantId: principal.tenantId, ...params };
        await saveFormSettings(deps, form, null, { ifMatch, traceparent });
        return noContent();
      },
    }),
  ];
}
