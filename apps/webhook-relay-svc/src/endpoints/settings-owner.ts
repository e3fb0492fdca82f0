import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import {
  settingsVersionName,
  webhookEventNames,
  webhookFormats,
  webhookPayloads,
  type ResolvedWebhookSettings,
  type SettingsRef,
} from '@canvass/contracts';
import type { Logger } from '@canvass/service-kit';
import axios from 'axios';
import Joi from 'joi';

/**
 * The settings; `unknown`: the owner has no such version; `away`: the owner does not respond; `unusable`:
 * it cannot give these settings, but others.
 */
type FetchedSettings = ResolvedWebhookSettings | 'unknown' | 'away' | 'unusable';

/** submissions-svc, which owns the webhook settings. */
export type SettingsOwner = Pick<ReturnType<typeof createSettingsOwner>, 'fetch'>;

export interface SettingsOwnerOptions {
  /** Internal base URL of submissions-svc. */
  baseUrl: string;
  /** The time limit of the whole call. */
  timeoutMs: number;
  /** Creates a token for a call. */
  serviceToken(): string;
  logger: Logger;
}

const maxBytes = 16 * 1024 * 1024;
const id = Joi.string()
  .pattern(/^[0-9]{1,19}$/)
  .required();

const endpointSchema = Joi.object({
  endpointId: id,
  url: Joi.string().required(),
  authentication: Joi.alternatives(
    Joi.object({ type: Joi.valid('None').required() }).unknown(true),
    Joi.object({
      type: Joi.valid('ApiKey').required(),
      header: Joi.string().required(),
      apiKey: Joi.string().required(),
    }).unknown(true),
    Joi.object({
      type: Joi.valid('OAuth2').required(),
      tokenUrl: Joi.string().required(),
      clientId: Joi.string().required(),
      clientSecret: Joi.string().required(),
      scope: Joi.string().allow(null).required(),
    }).unknown(true),
  ).required(),
  conditions: Joi.array().items(
    Joi.object({
      of: Joi.valid('member', 'profile', 'answer').required(),
      name: Joi.string().required(),
      kind: Joi.valid('number', 'time', 'text').required(),
      operator: Joi.valid(':', '!:', '>:', '<:', '>', '<', '~:').required(),
      values: Joi.array().items(Joi.string().allow('', null)).required(),
    }),
  ),
  headers: Joi.object().pattern(Joi.string(), Joi.string()),
  payload: Joi.valid(...webhookPayloads),
  format: Joi.valid(...webhookFormats),
  clientCertificate: Joi.object({
    certificate: Joi.string().required(),
    privateKey: Joi.string().required(),
  }).unknown(true),
}).unknown(true);

const eventSchema = Joi.object({
  isEnabled: Joi.boolean().required(),
  endpoints: Joi.array().items(endpointSchema).required(),
}).unknown(true);

const settingsSchema = Joi.object<ResolvedWebhookSettings>({
  tenantId: id,
  scope: Joi.valid('form', 'tenant').required(),
  scopeId: id,
  version: id,
  events: Joi.object(Object.fromEntries(webhookEventNames.map((name) => [name, eventSchema])))
    .unknown(true)
    .required(),
}).unknown(true);

/** Returns whether a 404 is the owner's and says that this version does not exist. */
const names = (problem: unknown, ref: SettingsRef): boolean =>
  typeof problem === 'object' &&
  problem !== null &&
  (problem as { errorCode?: unknown }).errorCode === 'not_found' &&
  String((problem as { detail?: unknown }).detail).includes(settingsVersionName(ref));

/**
 * Asks the owner over its internal listener with a service token. The answer holds secrets in clear: neither
 * it nor an axios error, which carries request and answer, is ever logged.
 */
export function createSettingsOwner(options: SettingsOwnerOptions) {
  const { baseUrl, timeoutMs, serviceToken, logger } = options;
  const http = axios.create({
    baseURL: baseUrl,
    timeout: timeoutMs,
    maxRedirects: 0,
    maxContentLength: maxBytes,
    proxy: false,
    decompress: false,
    responseType: 'json',
    validateStatus: () => true,
    httpAgent: new HttpAgent({ keepAlive: true, maxSockets: 16 }),
    httpsAgent: new HttpsAgent({ keepAlive: true, maxSockets: 16 }),
  });

  const none = (state: 'away' | 'unusable', details: Record<string, unknown>): FetchedSettings => {
    logger.warn(details, 'webhook settings unavailable; the event will be retried');
    return state;
  };

  return {
    async fetch(tenantId: string, { scope, scopeId, version }: SettingsRef): Promise<FetchedSettings> {
      const path = `/internal/tenants/${tenantId}/webhook-settings/${scope}/${scopeId}/versions/${version}`;
      try {
        const answer = await http.get<unknown>(path, {
          headers: {
            Authorization: `Bearer ${serviceToken()}`,
            Accept: 'application/json',
            'Accept-Encoding': 'identity', // axios names gzip otherwise, and does not decompress here
          },
          // axios' own timeout is of silence: a dripping body outruns it.
          signal: AbortSignal.timeout(timeoutMs),
        });
        if (answer.status === 404 && names(answer.data, { scope, scopeId, version })) return 'unknown';
        if (answer.status !== 200)
          return none(answer.status === 500 ? 'unusable' : 'away', { path, status: answer.status });
        const { value, error } = settingsSchema.validate(answer.data);
        const asked =
          value?.tenantId === tenantId &&
          value.scope === scope &&
          value.scopeId === scopeId &&
          value.version === version;
        return error || !asked
          ? none('unusable', { path, fault: error?.details[0]?.path.join('.') ?? 'other settings' })
          : value;
      } catch (error) {
        return none('away', { path, code: axios.isAxiosError(error) ? error.code : String(error) });
      }
    },
  };
}
