import type { WebhookSettings } from '@canvass/contracts';
import { brokenRule, validationProblem, type BrokenRule } from '@canvass/errors';
import { checkWebhookUrl, type AddressPolicy, type Resolver } from '@canvass/webhook-addresses';
import { endpointsOf } from './endpoints';
import { readEventFilter } from './event-filter';
import { fieldPath, type SettingsField } from './parse-settings';

/** What this installation permits in settings. */
export interface SettingsRules {
  /** Fields of the profile snapshot that filters may name. */
  profileFields: readonly string[];
  policy: AddressPolicy;
  /** Resolves host names; default is the resolver of the system. */
  resolver?: Resolver;
}

/**
 * Rejects filters that the event of an endpoint does not have, and endpoints whose host is, or currently
 * resolves to, an address that webhooks may not reach. A name that does not resolve is accepted: it is
 * checked again at each connect. Uses the network, so never call it inside a transaction.
 *
 * @throws {Problem} `validation_failed` that names each rejected URL and filter
 */
export async function checkSettings(
  settings: WebhookSettings,
  rules: SettingsRules,
  field?: SettingsField,
): Promise<void> {
  const places = endpointsOf(settings);
  const urls = places.flatMap(({ event, position, endpoint: { Url, Authentication: auth } }) => [
    { path: ['Events', event, 'WebHookEndpoints', position, 'Url'], url: Url },
    ...(auth.Type === 'OAuth2'
      ? [
          {
            path: ['Events', event, 'WebHookEndpoints', position, 'Authentication', 'TokenUrl'],
            url: auth.TokenUrl,
          },
        ]
      : []),
  ]);
  const verdicts = new Map(
    await Promise.all(
      [...new Set(urls.map(({ url }) => url))].map(
        async (url) => [url, await checkWebhookUrl(url, rules.policy, rules.resolver)] as const,
      ),
    ),
  );
  const errors: Record<string, BrokenRule[]> = {};
  for (const { path, url } of urls) {
    const verdict = verdicts.get(url);
    if (verdict && !verdict.ok)
      errors[fieldPath(path, field)] = [brokenRule('url.refused', { reason: verdict.reason })];
  }
  for (const { event, position, endpoint } of places)
    (endpoint.Filter ?? []).forEach((filter, index) => {
      const read = readEventFilter(filter, event, rules.profileFields);
      const path = ['Events', event, 'WebHookEndpoints', position, 'Filter', index];
      if ('rule' in read) errors[fieldPath(path, field)] = [read];
    });
  if (Object.keys(errors).length > 0) throw validationProblem(errors);
}
