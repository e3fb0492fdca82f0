import type { SecretBox } from '@canvass/auth';
import { secretMask, type WebhookEndpoint, type WebhookSettings } from '@canvass/contracts';
import { validationProblem, type FieldErrors } from '@canvass/errors';
import { reencrypt } from '@canvass/postgres';
import { endpointsOf, mapEndpoints, type Place } from './endpoints';
import { fieldPath, type SettingsField } from './parse-settings';

/** Binds sealed secrets to their tenant. A copy in the row of another tenant cannot be opened. */
const contextOf = (tenantId: string) => `webhook-api-key:${tenantId}`;

/** A secret of an endpoint. */
interface Secret {
  /** Its place in the endpoint. */
  path: string[];
  /** What else it is for, beside the URL. The mask stands for a stored secret of the same use only. */
  use: string;
  value: string;
}

/** The endpoint with each secret replaced, and its members in one order. */
function mapSecrets(
  { Url, Authentication, Filter, Headers, Payload, Format, ClientCertificate }: WebhookEndpoint,
  change: (secret: Secret) => string,
): WebhookEndpoint {
  const headers = Object.entries(Headers ?? {});
  return {
    Url,
    Authentication: mapAuthentication(Authentication, change),
    ...(Filter && Filter.length > 0 && { Filter }),
    ...(headers.length > 0 && {
      Headers: Object.fromEntries(
        headers.map(([name, value]) => {
          const secret = { path: ['Headers', name], use: `header ${name.toLowerCase()}`, value };
          return [name, change(secret)];
        }),
      ),
    }),
    ...(Payload && { Payload }),
    ...(Format && { Format }),
    ...(ClientCertificate && {
      ClientCertificate: {
        Certificate: ClientCertificate.Certificate,
        PrivateKey: change({
          path: ['ClientCertificate', 'PrivateKey'],
          use: `certificate ${ClientCertificate.Certificate}`,
          value: ClientCertificate.PrivateKey,
        }),
      },
    }),
  };
}

function mapAuthentication(
  auth: WebhookEndpoint['Authentication'],
  change: (secret: Secret) => string,
): WebhookEndpoint['Authentication'] {
  if (auth.Type === 'ApiKey') {
    const { ApiKeyHeader, ApiKey: value } = auth;
    const use = `key ${ApiKeyHeader.toLowerCase()}`;
    return {
      Type: 'ApiKey',
      ApiKeyHeader,
      ApiKey: change({ path: ['Authentication', 'ApiKey'], use, value }),
    };
  }
  if (auth.Type === 'OAuth2') {
    const { TokenUrl, ClientId, ClientSecret: value, Scope } = auth;
    const secret = { path: ['Authentication', 'ClientSecret'], use: `client ${TokenUrl} ${ClientId}`, value };
    return {
      Type: 'OAuth2',
      TokenUrl,
      ClientId,
      ClientSecret: change(secret),
      ...(Scope !== undefined && { Scope }),
    };
  }
  return { Type: 'None' };
}

/** The stored settings for a response, with masked secrets, because they are write-only. */
export function maskSettings(storedText: string): string {
  const stored = JSON.parse(storedText) as WebhookSettings;
  return JSON.stringify(mapEndpoints(stored, ({ endpoint }) => mapSecrets(endpoint, () => secretMask)));
}

/** A stored secret, sealed with the newest encryption key. @throws {SecretBoxError} */
export const reencryptSecret = (box: SecretBox, tenantId: string, sealed: string): string =>
  reencrypt(box, sealed, contextOf(tenantId));

/** The stored settings with all secrets sealed with the newest encryption key. @throws {SecretBoxError} */
export function reencryptSettings(box: SecretBox, tenantId: string, storedText: string): string {
  const stored = JSON.parse(storedText) as WebhookSettings;
  return JSON.stringify(
    mapEndpoints(stored, ({ endpoint }) =>
      mapSecrets(endpoint, ({ value }) => reencryptSecret(box, tenantId, value)),
    ),
  );
}

/** @throws {SecretBoxError} if the encryption key is no longer configured */
export const openSecret = (box: SecretBox, tenantId: string, sealed: string): string =>
  box.open(sealed, contextOf(tenantId));

/**
 * Settings ready to be stored: new secrets are sealed, and the mask is replaced by the stored secret of the
 * same endpoint. An unchanged secret keeps its sealed text, so that equal settings have equal text.
 *
 * The mask is valid for the same URL and the same use of the secret. Otherwise a person who may edit a form
 * but does not know the secret could have it sent to a receiver of their own, also on the same host.
 *
 * @throws {Problem} `validation_failed` for a mask that stands for no stored secret
 */
export function sealSecrets(
  settings: WebhookSettings,
  stored: WebhookSettings | null,
  box: SecretBox,
  tenantId: string,
  field?: SettingsField,
): WebhookSettings {
  const before = stored ? storedSecrets(stored) : [];
  const errors: FieldErrors = {};
  const sealed = mapEndpoints(settings, (place) =>
    mapSecrets(place.endpoint, ({ path, use, value }) => {
      const known = knownSecret(before, place, use);
      if (value === secretMask) {
        if (known !== undefined) return known;
        const whole = ['Events', place.event, 'WebHookEndpoints', place.position, ...path];
        errors[fieldPath(whole, field)] = [
          'stands for the stored secret of the same URL and header, client or certificate only; send the secret',
        ];
        return value;
      }
      return known !== undefined && opensTo(box, tenantId, known, value)
        ? known
        : box.seal(value, contextOf(tenantId));
    }),
  );
  if (Object.keys(errors).length > 0) throw validationProblem(errors);
  return sealed;
}

type StoredSecret = Place & Secret;

function storedSecrets(stored: WebhookSettings): StoredSecret[] {
  const found: StoredSecret[] = [];
  for (const place of endpointsOf(stored))
    mapSecrets(place.endpoint, (secret) => {
      found.push({ ...place, ...secret });
      return secret.value;
    });
  return found;
}

function knownSecret(
  before: StoredSecret[],
  { event, position, endpoint }: Place,
  use: string,
): string | undefined {
  const same = before.filter((each) => each.endpoint.Url === endpoint.Url && each.use === use);
  const found =
    same.find((each) => each.event === event && each.position === position) ??
    same.find((each) => each.event === event) ??
    same[0];
  return found?.value;
}

/** A secret whose encryption key is no longer configured equals none. */
function opensTo(box: SecretBox, tenantId: string, sealed: string, secret: string): boolean {
  try {
    return openSecret(box, tenantId, sealed) === secret;
  } catch {
    return false;
  }
}
