import type { ResolvedWebhookSettings } from '@canvass/contracts';
import { client, type Tenant, type Harness } from './harness';

/** Webhook settings with these endpoints for completed submissions, as JSON text. */
export const settings = (...endpoints: object[]): string =>
  JSON.stringify({ Events: { SubmissionCompleted: { IsEnabled: true, WebHookEndpoints: endpoints } } });

export const none = { Type: 'None' };
export const mask = '********';
export const key = (ApiKey: string, ApiKeyHeader = 'X-Api-Key') => ({ Type: 'ApiKey', ApiKeyHeader, ApiKey });

/** Asks the internal endpoint, as the relay does. */
export async function resolved(
  test: Harness,
  tenant: Tenant,
  [scope, scopeId]: ['form' | 'tenant', string],
  version = 'current',
): Promise<ResolvedWebhookSettings> {
  const path = `/internal/tenants/${tenant.id}/webhook-settings/${scope}/${scopeId}/${version}`;
  const relay = client(test.service.internalUrl, test.internalToken());
  const { status, body, headers } = await relay.get<ResolvedWebhookSettings>(path);
  expect([path, status]).toEqual([path, 200]);
  expect(headers.get('cache-control')).toBe('no-store');
  return body;
}

export const endpointsOf = (of: ResolvedWebhookSettings) => of.events.SubmissionCompleted?.endpoints ?? [];
