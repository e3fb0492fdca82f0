import type { WebhookEventName, WebhookSettings } from '@canvass/contracts';
import { endpointsOf, type Place } from './endpoints';
import type { StoredEvents } from './webhook-settings.sql';

/**
 * Assigns ids to the endpoints of new settings. An unchanged URL keeps its id, even in another event; an
 * event that lists a URL twice has two endpoints. A changed URL takes the id of the endpoint it replaces at
 * the same position of the same event, unless that one moved. All others are new.
 *
 * @param takeNewId called once per new endpoint
 */
export function identifyEndpoints(
  settings: WebhookSettings,
  previous: StoredEvents | null,
  takeNewId: () => string,
): StoredEvents {
  const places = endpointsOf(settings);
  const keys = occurrenceKeys(places.map(({ event, endpoint }) => ({ event, url: endpoint.Url })));
  const before = previousEndpoints(previous);
  const beforeByKey = new Map(before.map(({ key, endpointId }) => [key, endpointId]));

  const ids = new Map<string, string>();
  for (const key of keys) {
    const id = beforeByKey.get(key);
    if (id !== undefined) ids.set(key, id);
  }
  const taken = new Set(ids.values());
  places.forEach(({ event, position }, index) => {
    const key = keys[index]!;
    if (ids.has(key)) return;
    const replaced = before.find((old) => old.event === event && old.position === position)?.endpointId;
    const id = replaced !== undefined && !taken.has(replaced) ? replaced : takeNewId();
    ids.set(key, id);
    taken.add(id);
  });

  const events: StoredEvents = {};
  for (const [name, entry] of Object.entries(settings.Events ?? {})) {
    events[name] = { isEnabled: entry.IsEnabled, endpoints: [] };
  }
  places.forEach((place, index) => {
    events[place.event]!.endpoints.push(storedEndpoint(place, ids.get(keys[index]!)!));
  });
  return events;
}

function storedEndpoint({ endpoint }: Place, endpointId: string) {
  const { Url: url, Authentication: auth } = endpoint;
  return {
    endpointId,
    url,
    authentication:
      auth.Type === 'None'
        ? ({ type: 'None' } as const)
        : ({ type: 'ApiKey', header: auth.ApiKeyHeader, apiKey: auth.ApiKey } as const),
  };
}

function previousEndpoints(previous: StoredEvents | null) {
  const flat = Object.entries(previous ?? {}).flatMap(([event, entry]) =>
    (entry?.endpoints ?? []).map(({ url, endpointId }, position) => ({ event, position, url, endpointId })),
  );
  return occurrenceKeys(flat).map((key, index) => ({ key, ...flat[index]! }));
}

/** The identity of an endpoint: its URL and the number of its occurrence within the event. */
function occurrenceKeys(places: { event: WebhookEventName | string; url: string }[]): string[] {
  const seen = new Map<string, number>();
  return places.map(({ event, url }) => {
    const count = seen.get(`${event} ${url}`) ?? 0;
    seen.set(`${event} ${url}`, count + 1);
    return `${count} ${url}`;
  });
}
