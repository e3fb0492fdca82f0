/** Webhook settings as the API takes them, with the names of the API. */
interface Stored {
  Events?: Partial<Record<EventName, StoredEvent>>;
}

interface StoredEvent {
  IsEnabled?: boolean;
  WebHookEndpoints?: StoredEndpoint[];
}

export type AuthenticationType = 'None' | 'ApiKey' | 'OAuth2';

/** Members of an authentication beside its type. */
export type AuthenticationMember =
  'ApiKeyHeader' | 'ApiKey' | 'TokenUrl' | 'ClientId' | 'ClientSecret' | 'Scope';

/** An endpoint as it is stored. Members that the editor does not know stay. */
export interface StoredEndpoint {
  Url: string;
  Authentication: { Type: AuthenticationType } & Partial<Record<AuthenticationMember, string>>;
  Filter?: string[];
  Headers?: Record<string, string>;
  Payload?: string;
  Format?: string;
  ClientCertificate?: { Certificate: string; PrivateKey: string };
}

export const eventNames = [
  'SubmissionCompleted',
  'SubmissionCollectionStatusChanged',
  'SubmissionUpdated',
  'SubmissionStatusChanged',
  'SubmissionDeleted',
  'SubmitterErased',
  'FormCreated',
  'FormUpdated',
  'FormEnabledStateChanged',
  'FormDeleted',
] as const;
export type EventName = (typeof eventNames)[number];

export const authenticationMembers: Readonly<Record<AuthenticationType, readonly AuthenticationMember[]>> = {
  None: [],
  ApiKey: ['ApiKeyHeader', 'ApiKey'],
  OAuth2: ['TokenUrl', 'ClientId', 'ClientSecret', 'Scope'],
};

/** An endpoint in the editor: once, with its events. Secrets are `********`, which keeps the stored ones. */
export interface EditedEndpoint {
  /** Names its fields. It stays while the endpoint is edited. */
  key: number;
  events: readonly EventName[];
  endpoint: Omit<StoredEndpoint, 'Headers'>;
  /** Names and values: while one types, two names may be equal. */
  headers: readonly (readonly [name: string, value: string])[];
}

export interface EditedSettings {
  /** Events that are not sent, although they have endpoints. */
  isOff: readonly EventName[];
  endpoints: readonly EditedEndpoint[];
}

/** The settings with one more endpoint, of the event that most receivers need. */
export function withNewEndpoint(settings: EditedSettings): { settings: EditedSettings; newKey: number } {
  const newKey = Math.max(-1, ...settings.endpoints.map(({ key }) => key)) + 1;
  const endpoint: EditedEndpoint = {
    key: newKey,
    events: ['SubmissionCompleted'],
    endpoint: { Url: '', Authentication: { Type: 'None' } },
    headers: [],
  };
  return { settings: { ...settings, endpoints: [...settings.endpoints, endpoint] }, newKey };
}

/** The settings of a stored text for the editor. An endpoint with equal members in several events is one. */
export function editedOf(json: string | null): EditedSettings {
  const { Events = {} } = JSON.parse(json ?? '{}') as Stored;
  const endpoints = new Map<string, EditedEndpoint>();
  for (const name of eventNames) {
    const seen: Record<string, number> = {};
    for (const { Headers = {}, ...endpoint } of Events[name]?.WebHookEndpoints ?? []) {
      const text = JSON.stringify([endpoint, Headers]);
      // An event may list the same endpoint twice.
      seen[text] = (seen[text] ?? 0) + 1;
      const id = `${seen[text]} ${text}`;
      const { key, events } = endpoints.get(id) ?? { key: endpoints.size, events: [] };
      endpoints.set(id, { key, events: [...events, name], endpoint, headers: Object.entries(Headers) });
    }
  }
  return {
    isOff: eventNames.filter((name) => Events[name]?.IsEnabled === false),
    endpoints: [...endpoints.values()],
  };
}

/** The endpoints of an event, in the order in which they are stored. */
export const endpointsOf = (settings: EditedSettings, name: EventName): EditedEndpoint[] =>
  settings.endpoints.filter(({ events }) => events.includes(name));

/** What is stored of an endpoint. Members without a value are left out. */
export function storedOf({ endpoint, headers }: EditedEndpoint): StoredEndpoint {
  const { Filter = [], ClientCertificate, Authentication: auth, ...rest } = endpoint;
  const filters = Filter.filter((filter) => filter.trim() !== '');
  const members = authenticationMembers[auth.Type].filter((member) => (auth[member] ?? '') !== '');
  const named = headers.filter(([name, value]) => name !== '' || value !== '');
  const hasCertificate = Object.values(ClientCertificate ?? {}).some((text) => text.trim() !== '');
  return {
    ...rest,
    Authentication: {
      Type: auth.Type,
      ...Object.fromEntries(members.map((member) => [member, auth[member]])),
    },
    ...(filters.length > 0 && { Filter: filters }),
    ...(named.length > 0 && { Headers: Object.fromEntries(named) }),
    ...(hasCertificate && { ClientCertificate }),
  };
}

/** The text that the API takes. Events without an endpoint are left out. */
export function jsonOf(settings: EditedSettings): string {
  const events = eventNames
    .map((name) => {
      const WebHookEndpoints = endpointsOf(settings, name).map(storedOf);
      return [name, { IsEnabled: !settings.isOff.includes(name), WebHookEndpoints }] as const;
    })
    .filter(([, { WebHookEndpoints }]) => WebHookEndpoints.length > 0);
  return JSON.stringify({ Events: Object.fromEntries(events) });
}

/** Settings with one event of others. */
export function withEvent(into: EditedSettings, from: EditedSettings, name: EventName): EditedSettings {
  const { Events = {} } = JSON.parse(jsonOf(into)) as Stored;
  const { Events: others = {} } = JSON.parse(jsonOf(from)) as Stored;
  return editedOf(JSON.stringify({ Events: { ...Events, [name]: others[name] } }));
}
