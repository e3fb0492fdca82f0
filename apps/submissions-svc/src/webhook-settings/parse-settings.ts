import { webhookEventNames, type WebhookSettings } from '@canvass/contracts';
import { validationProblem } from '@canvass/errors';
import { nullAsAbsent, Validation } from '@canvass/service-kit';
import { describedUrl, endpointSchema, ignoredApiKey, webhookUrl } from '@canvass/webhook-addresses';
import Joi from 'joi';

/**
 * The member of a request that contains settings: as JSON text, or as an object. Errors are reported below
 * it.
 */
export type SettingsField = 'webHookSettingsJson' | 'settings';
const textField: SettingsField = 'webHookSettingsJson';

const maxTextLength = 262_144;
const maxEndpoints = 20;

/** @param prefix of the names in the documents; those of requests and answers differ */
function shapeOf(
  prefix: string,
  url: Joi.Schema,
  ignored: Joi.PartialSchemaMap,
): Joi.ObjectSchema<WebhookSettings> {
  const event = Joi.object({
    IsEnabled: Joi.boolean().strict().required(),
    WebHookEndpoints: Joi.array()
      .items(endpointSchema(prefix, url, ignored))
      .max(maxEndpoints)
      .default([]),
  }).meta({ name: `${prefix}WebhookEventSettings` });
  return Joi.object<WebhookSettings>({
    Events: Joi.object(Object.fromEntries(webhookEventNames.map((name) => [name, event]))),
  }).id(`${prefix}WebhookSettings`);
}

const settings = shapeOf('', describedUrl, ignoredApiKey).description(
  'Which events go to which endpoints. `{}` sends nothing.',
);

/** Settings as an object in a request. `assertSettingsLength` checks their size. */
export const settingsSchema = settings;

/** Settings in a response. */
export const maskedSettingsSchema = shapeOf('Masked', webhookUrl, {}).description(
  'Which events go to which endpoints; secrets are `********`.',
);

/** The value for `.meta()` of a text with settings in a request: what the documents say about its content. */
export const settingsContent = { contentSchema: nullAsAbsent(settings).describe() };

/** Within their field, so that errors are reported below it. */
const field = nullAsAbsent(Joi.object({ [textField]: settings }));

/**
 * Parses webhook settings from JSON text: shape, event names, absolute http(s) URLs without user info, header
 * names, certificates. `checkSettings` checks addresses separately, because it needs the network.
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
