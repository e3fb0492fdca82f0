import { endpoint, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { testsPerHour } from '../endpoints';
import { manage, view } from '../webhook-operations';
import { alertSettings, alertSettingsMembers, testedAlerts } from './alert-answers';
import {
  readAlertSettings,
  saveAlertSettings,
  type GivenAlertSettings,
  type SaveDeps,
} from './alert-settings';
import type { AlertSettings } from './alert-settings.sql';
import { testAlerts, type TestDeps } from './test-alerts';

const body = Joi.object<GivenAlertSettings>({
  addresses: Joi.array()
    .items(Joi.string().email({ tlds: false }).max(254))
    .max(10)
    .unique()
    .required()
    .description('where mails go')
    .example(['operations@example.org']),
  language: alertSettingsMembers.language.default('en'),
  url: Joi.string()
    .allow(null)
    .required()
    .description('where signed messages go; null: nowhere. Another URL gets another signing secret')
    .example('https://hooks.example.org/alerts'),
}).id('WebhookAlertSettingsBody');

const path = '/api/webhooks/alerts';

export function alertRoutes(deps: SaveDeps & TestDeps): Endpoint[] {
  const { db, mailer } = deps;
  const mail = mailer ? 'configured' : 'not_configured';
  const answer = (settings: AlertSettings) => ok({ ...settings, mail }, { etag: settings.revision });
  return [
    endpoint.read({
      method: 'get',
      path,
      operationId: 'getWebhookAlertSettings',
      summary: 'Whom the tenant wants to know when its endpoints fail.',
      access: view,
      answers: { 200: alertSettings },
      handle: async ({ principal }) => answer(await readAlertSettings(db, principal.tenantId)),
    }),
    endpoint.write({
      method: 'put',
      path,
      operationId: 'saveWebhookAlertSettings',
      audit: { action: 'webhook_alerts.updated' },
      summary: 'Replaces the addresses and the alert URL of the tenant.',
      description:
        'An alert is sent when an endpoint fails for an hour, when it will be disabled within a day, when it is disabled, when it succeeds again, and when deliveries are dead; each once of a fault. Mails join what happens within minutes, and an endpoint is in one mail an hour at most. The URL gets each alert as a signed webhook.',
      access: { permission: 'Tenant.Manage' },
      body,
      answers: { 200: alertSettings },
      handle: async ({ principal, body, ifMatch }) =>
        answer(await saveAlertSettings(deps, principal.tenantId, body, ifMatch)),
    }),
    endpoint.write({
      method: 'post',
      path: `${path}/test`,
      operationId: 'testWebhookAlerts',
      audit: { action: 'webhook_alerts.tested' },
      summary: 'Sends a test to all addresses and to the alert URL.',
      description: `Waits for the results for up to 20 s. At most ${testsPerHour.alerts} tests in an hour.`,
      access: manage,
      answers: { 200: testedAlerts },
      problems: ['conflict', 'too_many_requests'],
      handle: async ({ principal, traceparent }) =>
        ok(await testAlerts(deps, principal.tenantId, traceparent)),
    }),
  ];
}
