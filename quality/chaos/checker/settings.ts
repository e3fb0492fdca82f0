import { webhookEventNames, type WebhookEventName } from '@canvass/contracts';
import type { Random } from '@canvass/testing';
import { changeOf, type SettingsValue } from '../records';
import type { Driver } from './driver';

export type UrlOf = (path: string) => string;

/** The receivers of a tenant. */
export interface Receiving {
  paths: readonly string[];
  urlOf: UrlOf;
}

/** Webhook settings as they are saved, and what they mean. */
export interface PlannedSettings {
  json: string | null;
  value: SettingsValue;
}

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
function randomSettings(random: Random, { paths: all, urlOf }: Receiving, apiKey: string): PlannedSettings {
  const planOf = (name: WebhookEventName) => {
    const count = name === 'SubmissionCompleted' && random.chance(0.3) ? 2 : 1;
    const paths = random.shuffled(all).slice(0, count);
    return { isEnabled: random.chance(name.startsWith('Form') ? 0.7 : 0.9), paths };
  };
  return settingsOf(planOf, urlOf, apiKey);
}

/** Mostly settings of the form's own, sometimes none (the tenant's apply) or empty ones (nothing is sent). */
export function randomFormSettings(random: Random, receiving: Receiving, apiKey: string): PlannedSettings {
  const draw = random.next();
  if (draw < 0.25) return { json: null, value: null };
  if (draw < 0.32) return { json: '{}', value: {} };
  return randomSettings(random, receiving, apiKey);
}

const pauseMs = 5_000;

/** Resolves when the tenant has webhook settings, which are changed until the driver stops. */
export async function startTenantSettings(driver: Driver, receiving: Receiving): Promise<void> {
  const random = driver.randomFor('tenant');
  const change = async () => {
    const { json, value: settings } = randomSettings(random, receiving, driver.newMarker());
    const request = ['PUT', '/api/tenant/webhook-settings', { webHookSettingsJson: json }] as const;
    const intent = changeOf('tenant', driver.tenantId, 'change settings', 'webhook_settings_changed', {
      settings,
    });
    const { outcome } = await driver.attempt('admin', request, intent);
    if (outcome === 'refused') throw new Error('the settings of the tenant were refused');
    return outcome === 'acknowledged' ? outcome : null;
  };
  await driver.insist(change);
  driver.repeat(pauseMs, change);
}
