import type { EventCondition, ResolvedWebhookEndpoint, WebhookSettings } from '@canvass/contracts';
import { resolveEndpoint } from '@canvass/webhook-addresses';
import { endpointsOf, headerOf, type Place } from './endpoints';
import { readEventFilter } from './event-filter';
import type { StoredEvents } from './webhook-settings.sql';

/**
 * Assigns ids to the endpoints of new settings. An endpoint with the same URL and the same header of its API
 * key keeps its id, even in another event; an event that lists it twice has two endpoints. An endpoint that
 * had no key keeps its id when it gets one. All others are new: another receiver must not get the signing
 * secret of this one.
 *
 * @param takeNewId called once per new endpoint
 */
export function identifyEndpoints(
  settings: WebhookSettings,
  previous: StoredEvents | null,
  profileFields: readonly string[],
  takeNewId: () => string,
): StoredEvents {
  const places = endpointsOf(settings);
  const keys = occurrenceKeys(
    places.map(({ event, endpoint }) => ({ event, url: endpoint.Url, header: headerOf(endpoint) })),
  );
  const before = previousEndpoints(previous);
  const ids = new Map<string, string>();
  for (const key of keys) {
    const id = before.get(key);
    if (id !== undefined) ids.set(key, id);
  }
  const taken = new Set(ids.values());
  for (const key of keys) {
    if (ids.has(key)) continue;
    const withoutKey = before.get(keyWithout(key));
    const id = withoutKey !== undefined && !taken.has(withoutKey) ? withoutKey : takeNewId();
    ids.set(key, id);
    taken.add(id);
  }

  const events: StoredEvents = {};
  for (const [name, entry] of Object.entries(settings.Events ?? {})) {
    events[name] = { isEnabled: entry.IsEnabled, endpoints: [] };
  }
  places.forEach((place, index) => {
    events[place.event]!.endpoints.push(storedEndpoint(place, ids.get(keys[index]!)!, profileFields));
  });
  return events;
}

function storedEndpoint(
  { event, endpoint }: Place,
  endpointId: string,
  profileFields: readonly string[],
): ResolvedWebhookEndpoint {
  const conditions = (endpoint.Filter ?? []).map((filter) => readEventFilter(filter, event, profileFields));
  return {
    endpointId,
    ...resolveEndpoint(endpoint),
    // `checkSettings` refused the others.
    ...(conditions.length > 0 && {
      conditions: conditions.filter((each): each is EventCondition => !('rule' in each)),
    }),
  };
}

function previousEndpoints(previous: StoredEvents | null): Map<string, string> {
  const flat = Object.entries(previous ?? {}).flatMap(([event, entry]) =>
    (entry?.endpoints ?? []).map(({ url, endpointId, authentication: auth }) => {
      const header = auth.type === 'ApiKey' ? auth.header.toLowerCase() : '';
      return { event, url, header, endpointId };
    }),
  );
  return new Map(occurrenceKeys(flat).map((key, index) => [key, flat[index]!.endpointId]));
}

/** Keys that identify an endpoint: URL, header of the API key, and number of its occurrence in the event. */
function occurrenceKeys(places: { event: string; url: string; header: string }[]): string[] {
  const seen = new Map<string, number>();
  return places.map(({ event, url, header }) => {
    const key = `${url} ${header}`;
    const count = seen.get(`${event} ${key}`) ?? 0;
    seen.set(`${event} ${key}`, count + 1);
    return `${count} ${key}`;
  });
}

/** Names of headers have no spaces. */
const keyWithout = (key: string): string => key.slice(0, key.lastIndexOf(' ') + 1);
