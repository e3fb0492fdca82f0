import type { WebhookSettings } from '@canvass/contracts';
import { validationProblem, type FieldErrors } from '@canvass/errors';
import { checkWebhookUrl, type AddressPolicy, type Resolver } from '@canvass/webhook-addresses';
import { endpointsOf } from './endpoints';
import { fieldPath } from './parse-settings';

export interface AddressRule {
  policy: AddressPolicy;
  /** How host names are resolved; the system's resolver unless told. */
  resolver?: Resolver;
}

/**
 * Refuses endpoints whose host is, or now resolves to, an address that webhooks may not reach. A name that does not
 * resolve passes: it is judged again at each connect. Asks the network, so never call it inside a transaction.
 *
 * @throws {Problem} `validation_failed` naming each refused URL
 */
export async function checkAddresses(settings: WebhookSettings, rule: AddressRule): Promise<void> {
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
      errors[fieldPath(['Events', event, 'WebHookEndpoints', position, 'Url'])] = [verdict.reason];
  }
  if (Object.keys(errors).length > 0) throw validationProblem(errors);
}
