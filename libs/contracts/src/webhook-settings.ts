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

export interface WebhookEndpoint {
  Url: string;
  Authentication: { Type: 'None' } | { Type: 'ApiKey'; ApiKeyHeader: string; ApiKey: string };
}

/** Shown instead of an API key. Sent back with the same URL and header, it keeps the stored key. */
export const apiKeyMask = '********';

/**
 * Response of the internal endpoint `GET
 * /internal/tenants/{tenantId}/webhook-settings/{scope}/{scopeId}/versions/{version}` of submissions-svc. The
 * relay requests it once per version with a service token. API keys are in plain text: never log it.
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
  authentication: { type: 'None' } | { type: 'ApiKey'; header: string; apiKey: string };
}

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
