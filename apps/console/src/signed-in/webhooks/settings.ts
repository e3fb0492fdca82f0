/** Webhook settings as the API takes them, with the names of the API. */
interface Stored {
  Events?: Record<string, StoredEvent>;
}

interface StoredEvent {
  IsEnabled?: boolean;
  WebHookEndpoints?: {
    Url: string;
    Authentication: { Type: string; ApiKeyHeader?: string; ApiKey?: string };
  }[];
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

/** An endpoint of an event in the editor. */
export interface EditedEndpoint {
  url: string;
  /** Empty: no API key. */
  header: string;
  /** `********` keeps the stored key of the same URL and header. */
  apiKey: string;
}

export interface EditedEvent {
  isEnabled: boolean;
  endpoints: EditedEndpoint[];
}

export type EditedSettings = Record<EventName, EditedEvent>;

/** The settings of a stored text for the editor. Events that are not in it have no endpoint. */
export function editedOf(json: string | null): EditedSettings {
  const { Events = {} } = JSON.parse(json ?? '{}') as Stored;
  const eventOf = ({ IsEnabled = true, WebHookEndpoints = [] }: StoredEvent = {}): EditedEvent => ({
    isEnabled: IsEnabled,
    endpoints: WebHookEndpoints.map(({ Url, Authentication }) => ({
      url: Url,
      header: Authentication.ApiKeyHeader ?? '',
      apiKey: Authentication.ApiKey ?? '',
    })),
  });
  return Object.fromEntries(eventNames.map((name) => [name, eventOf(Events[name])])) as EditedSettings;
}

/** The text that the API takes. Events without an endpoint are left out. */
export function jsonOf(settings: EditedSettings): string {
  const events = eventNames
    .filter((name) => settings[name].endpoints.length > 0)
    .map((name) => {
      const { isEnabled, endpoints } = settings[name];
      const WebHookEndpoints = endpoints.map(({ url, header, apiKey }) => ({
        Url: url,
        Authentication:
          header === '' ? { Type: 'None' } : { Type: 'ApiKey', ApiKeyHeader: header, ApiKey: apiKey },
      }));
      return [name, { IsEnabled: isEnabled, WebHookEndpoints }];
    });
  return JSON.stringify({ Events: Object.fromEntries(events) });
}
