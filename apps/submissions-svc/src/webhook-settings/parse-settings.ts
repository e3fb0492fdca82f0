import { webhookEventNames, type WebhookSettings } from '@canvass/contracts';
import { validationProblem } from '@canvass/errors';
import { nullAsAbsent, Validation } from '@canvass/service-kit';
import { parseWebhookUrl } from '@canvass/webhook-addresses';
import Joi from 'joi';

/**
 * The member of a request that contains settings: as JSON text, or as an object. Errors are reported below
 * it.
 */
export type SettingsField = 'webHookSettingsJson' | 'settings';
const textField: SettingsField = 'webHookSettingsJson';

const maxTextLength = 262_144;
const maxEndpoints = 20;

/** A field name is a token (RFC 9110, section 5.6.2). */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Visible ASCII with single spaces or tabs inside (RFC 9110, section 5.5, without obs-text). */
const fieldValue = /^[\x21-\x7e]+([ \t]+[\x21-\x7e]+)*$/;

/** Headers that the sender or HTTP sets. An API key in one of them would break or forge the request. */
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

const isReserved = (header: string): boolean => {
  const name = header.toLowerCase();
  return reservedHeaders.has(name) || name.startsWith('proxy-') || name.startsWith('x-forwarded-');
};

const header = Joi.string()
  .max(128)
  .custom((value: string, { message }) => {
    if (!token.test(value)) return message({ custom: 'must be a header name (RFC 9110)' });
    return isReserved(value) ? message({ custom: 'is a header that requests already set' }) : value;
  });

const url = Joi.string().custom((value: string, { message }) => {
  const parsed = parseWebhookUrl(value);
  return parsed.ok ? value : message({ custom: parsed.reason });
});

const apiKey = Joi.string()
  .max(4096)
  .pattern(fieldValue)
  .messages({ 'string.pattern.base': 'must be printable ASCII without spaces at its ends' });

/** What the documents say of a URL in a request; one in an answer may have other characters than a URI. */
const describedUrl = url.meta({
  jsonSchema: {
    type: 'string',
    format: 'uri',
    maxLength: 2048,
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/\\\\]',
  },
});

const authentication = Joi.object({
  Type: Joi.string().valid('None', 'ApiKey').required(),
  ApiKeyHeader: Joi.when('Type', { is: 'ApiKey', then: header.required(), otherwise: Joi.any().strip() }),
  ApiKey: Joi.when('Type', { is: 'ApiKey', then: apiKey.required(), otherwise: Joi.any().strip() }),
});

/** What the documents say instead: one schema for each type. */
const authenticationKinds = (prefix: string, ignored: Joi.PartialSchemaMap) => ({
  member: 'Type',
  of: [
    Joi.object({
      Type: Joi.string().valid('ApiKey').required(),
      ApiKeyHeader: header.required(),
      ApiKey: apiKey.required(),
    }).id(`${prefix}WebhookApiKey`),
    Joi.object({ Type: Joi.string().valid('None').required(), ...ignored }).id(
      `${prefix}WebhookNoAuthentication`,
    ),
  ].map((kind) => kind.describe()),
});

/** @param prefix of the names in the documents; those of requests and answers differ */
function shapeOf(
  prefix: string,
  Url: Joi.Schema,
  ignored: Joi.PartialSchemaMap,
): Joi.ObjectSchema<WebhookSettings> {
  const described = authentication.meta({
    name: `${prefix}WebhookAuthentication`,
    kinds: authenticationKinds(prefix, ignored),
  });
  const event = Joi.object({
    IsEnabled: Joi.boolean().strict().required(),
    WebHookEndpoints: Joi.array()
      .items(Joi.object({ Url: Url.required(), Authentication: described.default({ Type: 'None' }) }))
      .max(maxEndpoints)
      .default([]),
  }).meta({ name: `${prefix}WebhookEventSettings` });
  return Joi.object<WebhookSettings>({
    Events: Joi.object(Object.fromEntries(webhookEventNames.map((name) => [name, event]))),
  }).id(`${prefix}WebhookSettings`);
}

const ignored = Joi.string().allow('', null).description('Taken and ignored.');

const settings = shapeOf('', describedUrl, { ApiKeyHeader: ignored, ApiKey: ignored }).description(
  'Which events go to which endpoints. `{}` sends nothing.',
);

/** Settings as an object in a request. `assertSettingsLength` checks their size. */
export const settingsSchema = settings;

/** Settings in a response. */
export const maskedSettingsSchema = shapeOf('Masked', url, {}).description(
  'Which events go to which endpoints; API keys are `********`.',
);

/** The value for `.meta()` of a text with settings in a request: what the documents say about its content. */
export const settingsContent = { contentSchema: nullAsAbsent(settings).describe() };

/** Within their field, so that errors are reported below it. */
const field = nullAsAbsent(Joi.object({ [textField]: settings }));

/**
 * Parses webhook settings from JSON text: shape, event names, absolute http(s) URLs without user info, header
 * names. `checkAddresses` checks addresses separately, because it needs the network.
 *
 * @throws {Problem} `validation_failed` that names each error below `webHookSettingsJson`
 */
export function parseSettings(text: string): WebhookSettings {
  assertLength(text, textField);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fault('is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fault('must be a JSON object');
  // Untrusted like any body: bounded work, and no text that cannot be stored. Escapes hid it from the check
  // of the body.
  const validation = new Validation();
  const checked = validation.check(field, { [textField]: value }, 'body');
  validation.done();
  return (checked as Record<typeof textField, WebhookSettings>)[textField];
}

/** @throws {Problem} `validation_failed` for settings that are too long as JSON text */
export const assertSettingsLength = (settings: WebhookSettings): void =>
  assertLength(JSON.stringify(settings), 'settings');

function assertLength(text: string, field: SettingsField): void {
  if (text.length > maxTextLength)
    throw validationProblem({ [field]: [`must be at most ${maxTextLength} characters`] });
}

/**
 * `['Events', 'FormCreated', 'WebHookEndpoints', 0, 'Url']` →
 * `webHookSettingsJson.Events.FormCreated.WebHookEndpoints[0].Url`
 */
export function fieldPath(path: readonly (string | number)[], field: SettingsField = textField): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}.${part}`),
    field,
  );
}

const fault = (message: string) => validationProblem({ [textField]: [message] });
