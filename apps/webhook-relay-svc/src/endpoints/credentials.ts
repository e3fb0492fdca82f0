import type { ResolvedWebhookEndpoint } from '@canvass/contracts';

/** What requests to an endpoint carry beside the signature. Sealed as JSON. */
export interface Credentials {
  apiKey: { header: string; value: string } | null;
  /** Further headers of each request. */
  headers: Record<string, string>;
  /** Client credentials for a token (RFC 6749, section 4.4). */
  oauth2: { tokenUrl: string; clientId: string; clientSecret: string; scope: string | null } | null;
  /** For mutual TLS, PEM. */
  clientCertificate: { certificate: string; privateKey: string } | null;
}

/** Of an endpoint that has none. */
export const noCredentials: Credentials = {
  apiKey: null,
  headers: {},
  oauth2: null,
  clientCertificate: null,
};

/** Null for an endpoint that has none. */
export function credentialsOf(endpoint: ResolvedWebhookEndpoint): Credentials | null {
  const { authentication: auth, headers = {} } = endpoint;
  const clientCertificate = endpoint.clientCertificate ?? null;
  if (auth.type === 'None' && Object.keys(headers).length === 0 && clientCertificate === null) return null;
  return {
    apiKey: auth.type === 'ApiKey' ? { header: auth.header, value: auth.apiKey } : null,
    headers,
    oauth2: auth.type === 'OAuth2' ? clientOf(auth) : null,
    clientCertificate,
  };
}

const clientOf = ({
  tokenUrl,
  clientId,
  clientSecret,
  scope,
}: Extract<ResolvedWebhookEndpoint['authentication'], { type: 'OAuth2' }>) => ({
  tokenUrl,
  clientId,
  clientSecret,
  scope,
});

/** What must not be logged of them. */
export const secretsOf = ({ apiKey, headers, oauth2, clientCertificate }: Credentials): string[] => [
  ...(apiKey ? [apiKey.value] : []),
  ...Object.values(headers),
  ...(oauth2 ? [oauth2.clientSecret] : []),
  ...(clientCertificate ? [clientCertificate.privateKey] : []),
];
