import { webhookEventNames, type WebhookEventName } from '@canvass/contracts';
import type { Random } from '@canvass/testing';
import { changeOf } from '../records';
import type { Driver } from './driver';

/**
 * Random receivers for every event. A disabled event names endpoints, too; they get nothing.
 *
 * @param apiKey differs each time, so that no two settings are equal
 */
function randomSettings(random: Random, urls: readonly string[], apiKey: string): string {
  const Authentication = { Type: 'ApiKey', ApiKeyHeader: 'X-Chaos-Key', ApiKey: apiKey };
  const events = webhookEventNames.map((name: WebhookEventName) => {
    const count = name === 'SubmissionCompleted' && random.chance(0.3) ? 2 : 1;
    const chosen = random.shuffled(urls).slice(0, count);
    const IsEnabled = random.chance(name.startsWith('Form') ? 0.7 : 0.9);
    const WebHookEndpoints = chosen.map((Url) => ({ Url, Authentication }));
    return [name, { IsEnabled, WebHookEndpoints }] as const;
  });
  return JSON.stringify({ Events: Object.fromEntries(events) });
}

/** Mostly settings of the form's own, sometimes none (the tenant's apply) or empty ones (nothing is sent). */
export function randomFormSettings(random: Random, urls: readonly string[], apiKey: string): string | null {
  const draw = random.next();
  if (draw < 0.25) return null;
  if (draw < 0.32) return '{}';
  return randomSettings(random, urls, apiKey);
}

const pauseMs = 5_000;

/** Resolves when the tenant has webhook settings, which are changed until the driver stops. */
export async function startTenantSettings(driver: Driver, urls: readonly string[]): Promise<void> {
  const random = driver.randomFor('tenant');
  const change = async () => {
    const webHookSettingsJson = randomSettings(random, urls, driver.newMarker());
    const request = ['PUT', '/api/tenant/webhook-settings', { webHookSettingsJson }] as const;
    const intent = changeOf('tenant', driver.tenantId, 'change settings', 'webhook_settings_changed');
    const { outcome } = await driver.attempt('admin', request, intent);
    if (outcome === 'refused') throw new Error('the settings of the tenant were refused');
    return outcome === 'acknowledged' ? outcome : null;
  };
  await driver.insist(change);
  driver.repeat(pauseMs, change);
}
