/** Webhook settings, with the specification's PascalCase names; the same shape at tenant and form level. */

export const webhookEventNames = [
  'FormCreated',
  'FormUpdated',
  'FormEnabledStateChanged',
  'FormDeleted',
  'SubmissionCompleted',
  'SubmissionCollectionStatusChanged',
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

/** What a read shows in place of an API key; sent back, it keeps the stored key. */
export const apiKeyMask = '********';

/**
 * Answer of the owner's internal endpoint `GET /internal/tenants/{tenantId}/webhook-settings/{scope}/{scopeId}/versions/{version}`,
 * fetched by the relay once per version with a service token. API keys are in clear: never log it.
 */
export interface ResolvedWebhookSettings {
  tenantId: string;
  scope: 'form' | 'tenant';
  scopeId: string;
  version: string;
  events: Partial<Record<WebhookEventName, { isEnabled: boolean; endpoints: ResolvedWebhookEndpoint[] }>>;
}

export interface ResolvedWebhookEndpoint {
  /** Stable across edits of the settings: the same URL keeps it, and so does a changed URL at the same place. */
  endpointId: string;
  url: string;
  authentication: { type: 'None' } | { type: 'ApiKey'; header: string; apiKey: string };
}
