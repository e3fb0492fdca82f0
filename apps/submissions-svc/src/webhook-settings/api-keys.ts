import type { SecretBox } from '@canvass/auth';
import { apiKeyMask, type WebhookEndpoint, type WebhookSettings } from '@canvass/contracts';
import { validationProblem, type FieldErrors } from '@canvass/errors';
import { reencrypt } from '@canvass/postgres';
import { endpointsOf, headerOf, mapEndpoints, type Place } from './endpoints';
import { fieldPath, type SettingsField } from './parse-settings';

/** Binds sealed keys to their tenant. A copy in the row of another tenant cannot be opened. */
const contextOf = (tenantId: string) => `webhook-api-key:${tenantId}`;

/** The stored settings for a response, with masked keys, because keys are write-only. */
export function maskSettings(storedText: string): string {
  const stored = JSON.parse(storedText) as WebhookSettings;
  return JSON.stringify(mapEndpoints(stored, ({ endpoint }) => withKey(endpoint, () => apiKeyMask)));
}

/**
 * A stored key, sealed with the newest encryption key. Unchanged if it already is. @throws {SecretBoxError}
 */
export const reencryptKey = (box: SecretBox, tenantId: string, sealed: string): string =>
  reencrypt(box, sealed, contextOf(tenantId));

/** The stored settings with all keys sealed with the newest encryption key. @throws {SecretBoxError} */
export function reencryptSettings(box: SecretBox, tenantId: string, storedText: string): string {
  const stored = JSON.parse(storedText) as WebhookSettings;
  return JSON.stringify(
    mapEndpoints(stored, ({ endpoint }) => withKey(endpoint, (key) => reencryptKey(box, tenantId, key))),
  );
}

/** @throws {SecretBoxError} if the encryption key is no longer configured */
export const openKey = (box: SecretBox, tenantId: string, sealed: string): string =>
  box.open(sealed, contextOf(tenantId));

/**
 * Settings ready to be stored: new keys are sealed, and the mask is replaced by the stored key of the same
 * endpoint. An unchanged key keeps its sealed text, so that equal settings have equal text.
 *
 * The mask is valid for the same URL and header name. Otherwise a person who may edit a form but does not
 * know the key could have it sent to a receiver of their own, also on the same host.
 *
 * @throws {Problem} `validation_failed` for a mask that stands for no stored key
 */
export function sealKeys(
  settings: WebhookSettings,
  stored: WebhookSettings | null,
  box: SecretBox,
  tenantId: string,
  field?: SettingsField,
): WebhookSettings {
  const before = stored ? endpointsOf(stored) : [];
  const errors: FieldErrors = {};
  const sealed = mapEndpoints(settings, (place) =>
    withKey(place.endpoint, (key) => {
      const known = knownKey(before, place);
      if (key === apiKeyMask) {
        if (known !== undefined) return known;
        const path = ['Events', place.event, 'WebHookEndpoints', place.position, 'Authentication', 'ApiKey'];
        errors[fieldPath(path, field)] = [
          'stands for the stored key of the same URL and header name only; send the key',
        ];
        return key;
      }
      return known !== undefined && opensTo(box, tenantId, known, key)
        ? known
        : box.seal(key, contextOf(tenantId));
    }),
  );
  if (Object.keys(errors).length > 0) throw validationProblem(errors);
  return sealed;
}

function knownKey(before: Place[], { event, position, endpoint }: Place): string | undefined {
  const keyed = before.filter(
    (place) => place.endpoint.Url === endpoint.Url && headerOf(place.endpoint) === headerOf(endpoint),
  );
  const found =
    keyed.find((place) => place.event === event && place.position === position) ??
    keyed.find((place) => place.event === event) ??
    keyed[0];
  return found && keyOf(found.endpoint);
}

const keyOf = ({ Authentication }: WebhookEndpoint): string | undefined =>
  Authentication.Type === 'ApiKey' ? Authentication.ApiKey : undefined;

function withKey(endpoint: WebhookEndpoint, change: (key: string) => string): WebhookEndpoint {
  const { Url, Authentication } = endpoint;
  if (Authentication.Type === 'None') return { Url, Authentication: { Type: 'None' } };
  const { ApiKeyHeader, ApiKey } = Authentication;
  return { Url, Authentication: { Type: 'ApiKey', ApiKeyHeader, ApiKey: change(ApiKey) } };
}

/** A key whose encryption key is no longer configured equals none. */
function opensTo(box: SecretBox, tenantId: string, sealed: string, key: string): boolean {
  try {
    return openKey(box, tenantId, sealed) === key;
  } catch {
    return false;
  }
}
