import { createPrivateKey, X509Certificate } from 'node:crypto';
import { secretMask, webhookFormats, webhookPayloads, type WebhookCertificate } from '@canvass/contracts';
import Joi from 'joi';
import { parseWebhookUrl } from './webhook-url';

/** A field name is a token (RFC 9110, section 5.6.2). */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Visible ASCII with single spaces or tabs inside (RFC 9110, section 5.5, without obs-text). */
const fieldValue = /^[\x21-\x7e]+([ \t]+[\x21-\x7e]+)*$/;

/** Headers that the sender or HTTP sets. One of an endpoint would break or forge the request. */
const reservedHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
  'forwarded',
  'traceparent',
  'tracestate',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
  'x-service-action',
  'x-service-entity',
  'x-service-event',
  'x-service-hook-id',
]);

/** What is wrong with the name of a header, or null. */
function headerFault(value: string): string | null {
  const name = value.toLowerCase();
  if (!token.test(value)) return 'must be a header name (RFC 9110)';
  return reservedHeaders.has(name) || name.startsWith('proxy-') || name.startsWith('x-forwarded-')
    ? 'is a header that requests already set'
    : null;
}

const header = Joi.string()
  .max(128)
  .custom((value: string, { message }) => {
    const fault = headerFault(value);
    return fault === null ? value : message({ custom: fault });
  });

export const webhookUrl = Joi.string().custom((value: string, { message }) => {
  const parsed = parseWebhookUrl(value);
  return parsed.ok ? value : message({ custom: parsed.reason });
});

const secret = Joi.string()
  .max(4096)
  .pattern(fieldValue)
  .messages({ 'string.pattern.base': 'must be printable ASCII without spaces at its ends' });

/** What the documents say of a URL in a request; one in an answer may have other characters than a URI. */
export const describedUrl = webhookUrl.meta({
  jsonSchema: {
    type: 'string',
    format: 'uri',
    maxLength: 2048,
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/\\\\]',
  },
});

const clientId = Joi.string().max(512);
/** `scope-token`s with spaces between them (RFC 6749, section 3.3). */
const scope = Joi.string()
  .max(1024)
  .pattern(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/);

const only = (Type: string, schema: Joi.Schema) =>
  Joi.when('Type', { is: Type, then: schema, otherwise: Joi.any().strip() });

const authentication = (url: Joi.Schema) =>
  Joi.object({
    Type: Joi.string().valid('None', 'ApiKey', 'OAuth2').required(),
    ApiKeyHeader: only('ApiKey', header.required()),
    ApiKey: only('ApiKey', secret.required()),
    TokenUrl: only('OAuth2', url.required()),
    ClientId: only('OAuth2', clientId.required()),
    ClientSecret: only('OAuth2', secret.required()),
    Scope: only('OAuth2', scope),
  });

/** What the documents say instead: one schema for each type. */
const authenticationKinds = (prefix: string, url: Joi.Schema, ignored: Joi.PartialSchemaMap) => ({
  member: 'Type',
  of: [
    Joi.object({
      Type: Joi.string().valid('ApiKey').required(),
      ApiKeyHeader: header.required(),
      ApiKey: secret.required(),
    }).id(`${prefix}WebhookApiKey`),
    Joi.object({
      Type: Joi.string().valid('OAuth2').required(),
      TokenUrl: url.required(),
      ClientId: clientId.required(),
      ClientSecret: secret.required(),
      Scope: scope,
    })
      .id(`${prefix}WebhookOAuth2`)
      .description('Client credentials (RFC 6749, section 4.4): requests have a token of `TokenUrl`.'),
    Joi.object({ Type: Joi.string().valid('None').required(), ...ignored }).id(
      `${prefix}WebhookNoAuthentication`,
    ),
  ].map((kind) => kind.describe()),
});

const headers = Joi.object()
  .pattern(Joi.string().max(128), secret)
  .max(10)
  .custom((value: Record<string, string>, { message }) => {
    const names = Object.keys(value);
    for (const name of names) {
      const fault = headerFault(name);
      if (fault !== null) return message({ custom: `has the name ${JSON.stringify(name)}, which ${fault}` });
    }
    return new Set(names.map((name) => name.toLowerCase())).size < names.length
      ? message({ custom: 'must have each name once' })
      : value;
  })
  .description('further headers of each request; values are write-only. The one of the authentication wins');

const pem = (what: string, parse: (text: string) => unknown) =>
  Joi.string()
    .max(16_384)
    .custom((value: string, { message }) => {
      try {
        if (value !== secretMask) parse(value);
        return value;
      } catch {
        return message({ custom: `must be ${what} in PEM` });
      }
    });

const clientCertificate = Joi.object<WebhookCertificate>({
  Certificate: pem('a certificate', (text) => new X509Certificate(text)).required(),
  PrivateKey: pem('a private key without a passphrase', createPrivateKey).required(),
})
  .custom((value: WebhookCertificate, { message }) => {
    const { Certificate, PrivateKey } = value;
    return PrivateKey === secretMask ||
      new X509Certificate(Certificate).checkPrivateKey(createPrivateKey(PrivateKey))
      ? value
      : message({ custom: 'must have the private key of its certificate' });
  })
  .description('for mutual TLS; the certificate may be followed by those of its issuers');

const filter = Joi.array()
  .items(Joi.string().max(1000))
  .max(10)
  .description(
    'filters as of the list of submissions; only events for which all hold are sent. Form events and `SubmissionDeleted` have `formId` only, `SubmitterErased` has none',
  )
  .example(['status:approved', 'answers.country:NG|DE']);

const ignored = Joi.string().allow('', null).description('Taken and ignored.');

/** What a request may say of an API key of an endpoint without one. */
export const ignoredApiKey: Joi.PartialSchemaMap = { ApiKeyHeader: ignored, ApiKey: ignored };

/** An endpoint. @param prefix of the names in the documents; those of requests and answers differ */
export function endpointSchema(prefix: string, url: Joi.Schema, ignored: Joi.PartialSchemaMap): Joi.Schema {
  return Joi.object({
    Url: url.required(),
    Authentication: authentication(url)
      .meta({
        name: `${prefix}WebhookAuthentication`,
        kinds: authenticationKinds(prefix, url, ignored),
      })
      .default({ Type: 'None' }),
    Filter: filter,
    Headers: headers,
    Payload: Joi.string()
      .valid(...webhookPayloads)
      .description(
        '`full` (default): the entity. `ids`: its ids and revision. `answersText`: the entity, and its answers as people read them',
      ),
    Format: Joi.string()
      .valid(...webhookFormats)
      .description(
        '`canvass` (default): `{ Id, EventName, Action, Payload }`. `standard`: `{ type, timestamp, data }` of Standard Webhooks. The headers are the same',
      ),
    ClientCertificate: clientCertificate.meta({ name: `${prefix}WebhookClientCertificate` }),
  })
    .custom((value: { Url: string; ClientCertificate?: unknown }, { message }) =>
      value.ClientCertificate && !/^https:/i.test(value.Url)
        ? message({ custom: 'must have an https URL to have a client certificate' })
        : value,
    )
    .meta({ name: `${prefix}WebhookEndpointSettings` });
}
