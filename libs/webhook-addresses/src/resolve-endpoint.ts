import type {
  ResolvedAuthentication,
  ResolvedWebhookEndpoint,
  WebhookAuthentication,
  WebhookEndpoint,
} from '@canvass/contracts';

/** The endpoint of settings as the relay uses it, but its id and its filters. */
export function resolveEndpoint({
  Url: url,
  Authentication,
  Headers: headers,
  Payload,
  Format,
  ClientCertificate,
}: WebhookEndpoint): Omit<ResolvedWebhookEndpoint, 'endpointId' | 'conditions'> {
  return {
    url,
    authentication: resolvedAuthentication(Authentication),
    ...(headers && { headers }),
    ...(Payload && { payload: Payload }),
    ...(Format && { format: Format }),
    ...(ClientCertificate && {
      clientCertificate: {
        certificate: ClientCertificate.Certificate,
        privateKey: ClientCertificate.PrivateKey,
      },
    }),
  };
}

function resolvedAuthentication(auth: WebhookAuthentication): ResolvedAuthentication {
  switch (auth.Type) {
    case 'None':
      return { type: 'None' };
    case 'ApiKey':
      return { type: 'ApiKey', header: auth.ApiKeyHeader, apiKey: auth.ApiKey };
    case 'OAuth2':
      return {
        type: 'OAuth2',
        tokenUrl: auth.TokenUrl,
        clientId: auth.ClientId,
        clientSecret: auth.ClientSecret,
        scope: auth.Scope ?? null,
      };
  }
}
