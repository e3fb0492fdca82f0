import { webhookEventNames, type WebhookEventName } from '@canvass/contracts';
import type { Random } from '@canvass/testing';
import type { Intent, SettingsValue } from '../records';
import type { Driver } from './driver';
import { endpointCount, pathOf } from './receivers';

export type UrlOf = (path: string) => string;

/** Webhook settings as they are saved, and what they mean. */
export interface PlannedSettings {
  json: string | null;
  value: SettingsValue;
}

const likelihood: Record<WebhookEventName, number> = {
  FormCreated: 0.7,
  FormUpdated: 0.7,
  FormEnabledStateChanged: 0.7,
  FormDeleted: 0.7,
  SubmissionCompleted: 0.9,
  SubmissionCollectionStatusChanged: 0.9,
};

/** Receivers' paths of an event. A disabled event names endpoints, too; they get nothing. */
interface EventPlan {
  isEnabled: boolean;
  paths: readonly string[];
}

/** Returns settings with a plan for each event. */
export function settingsOf(
  planOf: (name: WebhookEventName) => EventPlan,
  urlOf: UrlOf,
  apiKey: string,
): PlannedSettings {
  const Authentication = { Type: 'ApiKey', ApiKeyHeader: 'X-Chaos-Key', ApiKey: apiKey };
  const value: Record<string, readonly string[]> = {};
  const events: Record<string, unknown> = {};
  for (const name of webhookEventNames) {
    const { isEnabled, paths } = planOf(name);
    value[name] = isEnabled ? paths : [];
    const endpoints = paths.map((path) => ({ Url: urlOf(path), Authentication }));
    events[name] = { IsEnabled: isEnabled, WebHookEndpoints: endpoints };
  }
  return { json: JSON.stringify({ Events: events }), value };
}

/** Random receivers for every event. The API key differs each time, so that no two settings are equal. */
function randomSettings(random: Random, urlOf: UrlOf, apiKey: string): PlannedSettings {
  const all = Array.from({ length: endpointCount }, (_, n) => pathOf(n));
  const planOf = (name: WebhookEventName) => {
    const count = name === 'SubmissionCompleted' && random.chance(0.3) ? 2 : 1;
    const paths = random.shuffled(all).slice(0, count);
    return { isEnabled: random.chance(likelihood[name]), paths };
  };
  return settingsOf(planOf, urlOf, apiKey);
}

/** Mostly settings of the form's own, sometimes none (the tenant's apply) or empty ones (nothing is sent). */
export function randomFormSettings(random: Random, urlOf: UrlOf, apiKey: string): PlannedSettings {
  const draw = random.next();
  if (draw < 0.25) return { json: null, value: null };
  if (draw < 0.32) return { json: '{}', value: {} };
  return randomSettings(random, urlOf, apiKey);
}

const pauseMs = 5_000;

/** Saves the tenant's webhook settings. The returned function changes them until the driver stops. */
export async function keepTenantSettings(
  driver: Driver,
  tenantId: string,
  urlOf: UrlOf,
): Promise<() => Promise<void>> {
  const random = driver.randomFor('tenant');
  const change = () => {
    const { json, value } = randomSettings(random, urlOf, driver.newMarker());
    const intent: Intent = {
      entity: 'tenant',
      operation: 'change settings',
      key: `tenant ${tenantId}`,
      settings: value,
      events: ['tenant.webhook_settings_changed'],
    };
    const body = { webHookSettingsJson: json };
    return driver.attempt('admin', intent, (api) => api.PUT('/api/tenant/webhook-settings', { body }));
  };
  for (let outcome = 'unknown'; outcome !== 'acknowledged';) {
    ({ outcome } = await change());
    if (outcome === 'refused') throw new Error('the settings of the tenant were refused');
  }
  return async () => {
    while (!driver.stopped) {
      await driver.pause(pauseMs);
      if (!driver.stopped) await change();
    }
  };
}
