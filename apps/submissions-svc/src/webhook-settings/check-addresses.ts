import type { WebhookSettings } from '@canvass/contracts';
import { validationProblem, type FieldErrors } from '@canvass/errors';
import { checkWebhookUrl, type AddressPolicy, type Resolver } from '@canvass/webhook-addresses';
import { endpointsOf } from './endpoints';
import { fieldPath, type SettingsField } from './parse-settings';

export interface AddressRule {
  policy: AddressPolicy;
  /** Resolves host names; default is the resolver of the system. */
  resolver?: Resolver;
}

/**
 * Rejects endpoints whose host is, or currently resolves to, an address that webhooks may not reach. A name
 * that does not resolve is accepted: it is checked again at each connect. Uses the network, so never call it
 * inside a transaction.
 *
 * @throws {Problem} `validation_failed` that names each rejected URL
 */
export async function checkAddresses(
  settings: WebhookSettings,
  rule: AddressRule,
  field?: SettingsField,
): Promise<void> {
  const places = endpointsOf(settings);
  const urls = [...new Set(places.map(({ endpoint }) => endpoint.Url))];
  const verdicts = new Map(
    await Promise.all(
      urls.map(async (url) => [url, await checkWebhookUrl(url, rule.policy, rule.resolver)] as const),
    ),
  );
  const errors: FieldErrors = {};
  for (const { event, position, endpoint } of places) {
    const verdict = verdicts.get(endpoint.Url);
    if (verdict && !verdict.ok)
      errors[fieldPath(['Events', event, 'WebHookEndpoints', position, 'Url'], field)] = [verdict.reason];
  }
  if (Object.keys(errors).length > 0) throw validationProblem(errors);
}
