/**
 * Webhook settings, with the PascalCase names of the specification. Tenant and form level have the same
 * shape.
 */

/** The level of webhook settings. */
export type SettingsScope = 'form' | 'tenant';

export const webhookEventNames = [
  'FormCreated',
  'FormUpdated',
  'FormEnabledStateChanged',
  'FormDeleted',
  'SubmissionCompleted',
  'SubmissionCollectionStatusChanged',
  'SubmissionUpdated',
  'SubmissionStatusChanged',
  'SubmissionDeleted',
  'SubmitterErased',
] as const;

export type WebhookEventName = (typeof webhookEventNames)[number];

export interface WebhookSettings {
  Events?: Partial<Record<WebhookEventName, WebhookEventSettings>>;
}

export interface WebhookEventSettings {
  IsEnabled: boolean;
  WebHookEndpoints: WebhookEndpoint[];
}

/** What the specification has, `Url` and `Authentication`, and optional members beside it. */
export interface WebhookEndpoint {
  Url: string;
  Authentication: WebhookAuthentication;
  /** Filters in the grammar of lists. Only events for which all hold are sent. */
  Filter?: string[];
  /** Further headers of each request. */
  Headers?: Record<string, string>;
  Payload?: WebhookPayload;
  Format?: WebhookFormat;
  ClientCertificate?: WebhookCertificate;
}

export type WebhookAuthentication =
  | { Type: 'None' }
  | { Type: 'ApiKey'; ApiKeyHeader: string; ApiKey: string }
  | { Type: 'OAuth2'; TokenUrl: string; ClientId: string; ClientSecret: string; Scope?: string };

/** For mutual TLS; both are PEM. */
export interface WebhookCertificate {
  Certificate: string;
  PrivateKey: string;
}

/**
 * `full`: the entity. `ids`: its ids and revision only. `answersText`: the entity, and its answers as people
 * read them.
 */
export const webhookPayloads = ['full', 'ids', 'answersText'] as const;
export type WebhookPayload = (typeof webhookPayloads)[number];

/** `canvass`: the body of the specification. `standard`: `{ type, timestamp, data }` (Standard Webhooks). */
export const webhookFormats = ['canvass', 'standard'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

/** Shown instead of a secret. Sent back for the same URL and the same secret, it keeps what is stored. */
export const secretMask = '********';

/** One filter of an endpoint, read. A value of null stands for an absent member. */
export interface EventCondition {
  /** What `name` names: a member of the entity, a field of the profile snapshot, or a path of the answers. */
  of: 'member' | 'profile' | 'answer';
  name: string;
  /** How values are compared; of answers only those with `<` or `>` are numbers. */
  kind: 'number' | 'time' | 'text';
  operator: ':' | '!:' | '>:' | '<:' | '>' | '<' | '~:';
  values: (string | null)[];
}

/**
 * Response of the internal endpoint `GET
 * /internal/tenants/{tenantId}/webhook-settings/{scope}/{scopeId}/versions/{version}` of submissions-svc. The
 * relay requests it once per version with a service token. Secrets are in plain text: never log it.
 */
export interface ResolvedWebhookSettings {
  tenantId: string;
  scope: 'form' | 'tenant';
  scopeId: string;
  version: string;
  events: Partial<Record<WebhookEventName, { isEnabled: boolean; endpoints: ResolvedWebhookEndpoint[] }>>;
}

export interface ResolvedWebhookEndpoint {
  /** Stable across edits: an endpoint keeps it if it keeps its URL or its place in the list. */
  endpointId: string;
  url: string;
  authentication: ResolvedAuthentication;
  /** Absent members are those of an endpoint without the setting. */
  conditions?: EventCondition[];
  headers?: Record<string, string>;
  payload?: WebhookPayload;
  format?: WebhookFormat;
  clientCertificate?: { certificate: string; privateKey: string };
}

export type ResolvedAuthentication =
  | { type: 'None' }
  | { type: 'ApiKey'; header: string; apiKey: string }
  | { type: 'OAuth2'; tokenUrl: string; clientId: string; clientSecret: string; scope: string | null };

/**
 * The name by which a 404 of the internal endpoint names the version that does not exist, in `detail`. The
 * 404 of a proxy, or of a wrong base URL, does not contain it.
 */
export const settingsVersionName = ({
  scope,
  scopeId,
  version,
}: Pick<ResolvedWebhookSettings, 'scope' | 'scopeId' | 'version'>): string =>
  `${version} of ${scope} ${scopeId}`;
