import type { ResolvedWebhookEndpoint } from '@canvass/contracts';
import type { StoredEvents } from './webhook-settings.sql';

/** The events of a version with each secret replaced. */
export const mapStoredSecrets = (events: StoredEvents, change: (secret: string) => string): StoredEvents =>
  Object.fromEntries(
    Object.entries(events).map(([name, event]) => [
      name,
      event && { ...event, endpoints: event.endpoints.map((endpoint) => mapped(endpoint, change)) },
    ]),
  );

function mapped(
  { authentication: auth, headers, clientCertificate, ...endpoint }: ResolvedWebhookEndpoint,
  change: (secret: string) => string,
): ResolvedWebhookEndpoint {
  return {
    ...endpoint,
    authentication:
      auth.type === 'ApiKey'
        ? { ...auth, apiKey: change(auth.apiKey) }
        : auth.type === 'OAuth2'
          ? { ...auth, clientSecret: change(auth.clientSecret) }
          : auth,
    ...(headers && {
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)])),
    }),
    ...(clientCertificate && {
      clientCertificate: { ...clientCertificate, privateKey: change(clientCertificate.privateKey) },
    }),
  };
}
