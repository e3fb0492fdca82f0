import {
  webhookEventNames,
  type WebhookEndpoint,
  type WebhookEventName,
  type WebhookSettings,
} from '@canvass/contracts';

/** An endpoint and its position in the settings. */
export interface Place {
  event: WebhookEventName;
  position: number;
  endpoint: WebhookEndpoint;
}

/** All endpoints, by event in the specification's order and by position. */
export function endpointsOf(settings: WebhookSettings): Place[] {
  return webhookEventNames.flatMap((event) =>
    (settings.Events?.[event]?.WebHookEndpoints ?? []).map((endpoint, position) => ({
      event,
      position,
      endpoint,
    })),
  );
}

/** The settings with each endpoint replaced. */
export function mapEndpoints(
  settings: WebhookSettings,
  change: (place: Place) => WebhookEndpoint,
): WebhookSettings {
  if (!settings.Events) return {};
  const events: WebhookSettings['Events'] = {};
  for (const event of webhookEventNames) {
    const entry = settings.Events[event];
    if (!entry) continue;
    events[event] = {
      IsEnabled: entry.IsEnabled,
      WebHookEndpoints: entry.WebHookEndpoints.map((endpoint, position) =>
        change({ event, position, endpoint }),
      ),
    };
  }
  return { Events: events };
}

/** The header of the API key, in small letters because names of headers have no case; empty without a key. */
export const headerOf = ({ Authentication }: WebhookEndpoint): string =>
  Authentication.Type === 'ApiKey' ? Authentication.ApiKeyHeader.toLowerCase() : '';
