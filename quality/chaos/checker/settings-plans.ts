import { webhookEventNames, type WebhookEventName } from '@canvass/contracts';
import { endpointCount } from '../plan';
import type { Random } from '@canvass/testing';
import type { SettingsValue } from '../records';
import { pathOf } from './receivers';

/** Webhook settings as they are saved, and what they mean. */
export interface SettingsPlan {
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

/** Settings with random endpoints for every event. The API key is new each time, so that no two settings are equal. */
export function randomSettings(
  random: Random,
  urlOf: (path: string) => string,
  apiKey: string,
): SettingsPlan {
  const value: Record<string, readonly string[]> = {};
  const events: Record<string, unknown> = {};
  for (const name of webhookEventNames) {
    const count = name === 'SubmissionCompleted' && random.chance(0.3) ? 2 : 1;
    const paths = random.shuffled(Array.from({ length: endpointCount }, (_, n) => pathOf(n))).slice(0, count);
    const isEnabled = random.chance(likelihood[name]);
    value[name] = isEnabled ? paths : [];
    events[name] = {
      IsEnabled: isEnabled,
      WebHookEndpoints: paths.map((path) => ({
        Url: urlOf(path),
        Authentication: { Type: 'ApiKey', ApiKeyHeader: 'X-Chaos-Key', ApiKey: apiKey },
      })),
    };
  }
  return { json: JSON.stringify({ Events: events }), value };
}

/** A form's settings: mostly its own, sometimes none (the tenant's apply) or empty ones (nothing is sent). */
export function randomOverride(
  random: Random,
  urlOf: (path: string) => string,
  apiKey: string,
): SettingsPlan {
  const draw = random.next();
  if (draw < 0.25) return { json: null, value: null };
  if (draw < 0.32) return { json: '{}', value: {} };
  return randomSettings(random, urlOf, apiKey);
}
