/**
 * Plays the main job on real data and prints what happens: a data list of all countries, a form that uses it
 * and has two webhook endpoints, respondents of every kind, and a receiver that verifies every delivery.
 */
import { randomBytes } from 'node:crypto';
import type { FormView, SubmissionView } from '@canvass/contracts';
import { clientCredentials, clientOf, login, type Client } from '@canvass/testing';
import { countryList } from './countries';
import { startReceiver, type ReceivedDelivery, type Receiver } from './receiver';
import { playRespondents } from './respondents';

/** The members of `.local/stack.json` that the demo needs. */
export interface DemoStack {
  gatewayUrl: string;
  demo: {
    adminEmail: string;
    adminPassword: string;
    serviceAccount: { clientId: string; clientSecret: string };
  };
}

const say = (line = '') => console.log(line);
const apiKey = { header: 'X-Api-Key', value: randomBytes(12).toString('hex') };

/** @returns whether every expected delivery arrived and was verified. */
export async function playDemo(stack: DemoStack): Promise<boolean> {
  const { gatewayUrl, demo } = stack;
  say('\nThe demo: one form, one list of countries, four respondents, two receivers of webhooks.\n');
  const log = deliveryLog();
  const receiver = await startReceiver(log.add);
  try {
    const adminToken = await login(gatewayUrl, demo.adminEmail, demo.adminPassword);
    const admin = clientOf(gatewayUrl, adminToken);
    const listId = await importCountries(admin);
    const form = await createForm(admin, receiver.url, listId);
    await trustEndpoints(admin, receiver, form.id);
    await searchCountries(gatewayUrl, form.id, listId);

    const account = demo.serviceAccount;
    const integration = clientOf(gatewayUrl, await clientCredentials(gatewayUrl, account));
    const submissions = await playRespondents(say, form.id, {
      anonymous: clientOf(gatewayUrl),
      identified: admin,
      integration,
    });
    await admin.patch<FormView>(`/api/forms/${form.id}`, { description: 'Closed on Friday.' });

    const expected = expectations(form.id, submissions);
    say('\n  Deliveries, as the receiver sees and verifies them (one first try is answered 500 on purpose):');
    log.begin();
    const missing = await waitFor(expected, receiver);
    return await conclude(gatewayUrl, admin, form.id, receiver, expected, missing);
  } finally {
    await receiver.stop();
  }
}

async function importCountries(admin: Client): Promise<string> {
  const { locales, defaultLocale, items } = countryList();
  const list = await admin.post<{ id: string }>('/api/data-lists', {
    name: `Countries ${new Date().toISOString()}`,
    description: 'ISO 3166, names by i18n-iso-countries',
    defaultLocale,
  });
  const imported = await admin.put<{ import: { rows: number; durationMs: number } }>(
    `/api/data-lists/${list.id}/import`,
    { format: 'json', items, ensureLocales: locales },
  );
  say(
    `  Data list ${list.id}: ${imported.import.rows} countries in ${locales.length + 1} languages, imported in ${imported.import.durationMs} ms`,
  );
  return list.id;
}

async function createForm(admin: Client, receiverUrl: string, listId: string): Promise<FormView> {
  const crm = {
    Url: `${receiverUrl}/crm`,
    Authentication: { Type: 'ApiKey', ApiKeyHeader: apiKey.header, ApiKey: apiKey.value },
  };
  const archive = { Url: `${receiverUrl}/archive`, Authentication: { Type: 'None' } };
  const form = await admin.post<FormView>('/api/forms', {
    name: 'Where do you live?',
    isEnabled: true,
    definition: { elements: [{ type: 'dropdown', name: 'country', dataListId: listId }] },
    dataListIds: [listId],
    webHookSettingsJson: JSON.stringify({
      Events: {
        SubmissionCompleted: { IsEnabled: true, WebHookEndpoints: [crm, archive] },
        SubmissionCollectionStatusChanged: { IsEnabled: true, WebHookEndpoints: [archive] },
        FormUpdated: { IsEnabled: true, WebHookEndpoints: [archive] },
      },
    }),
  });
  say(`  Form ${form.id}: "${form.name}", reads that list, webhooks to ${crm.Url} and ${archive.Url}`);
  return form;
}

/**
 * Hands the endpoints' signing secrets to the receiver; they are there as soon as the relay has heard of
 * the form.
 */
async function trustEndpoints(admin: Client, receiver: Receiver, formId: string): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const page = await admin.get<{ items: { id: string; url: string; scopeId: string }[] }>(
      '/api/webhooks/endpoints?pageSize=200',
    );
    const ours = page.items.filter((endpoint) => endpoint.scopeId === formId);
    if (ours.length === 2) {
      for (const endpoint of ours) {
        const { secret } = await admin.get<{ secret: string }>(
          `/api/webhooks/endpoints/${endpoint.id}/secret`,
        );
        const path = new URL(endpoint.url).pathname;
        receiver.trust({ path, secret, apiKey: path === '/crm' ? apiKey : null });
      }
      return;
    }
    if (Date.now() > deadline) throw new Error('the relay did not learn of the endpoints within 20 s');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function searchCountries(gatewayUrl: string, formId: string, listId: string): Promise<void> {
  const { token } = await clientOf(gatewayUrl).post<{ token: string }>(
    `/api/public/forms/${formId}/access-tokens`,
    {},
  );
  const runtime = clientOf(gatewayUrl, token);
  say('  The form runtime searches the list with its form-access token:');
  const tries: [string, string][] = [
    ['ger', 'en'],
    ['osterreich', 'de'],
    ["d'ivoire", 'fr'],
    ['греция', 'ru'],
  ];
  for (const [query, locale] of tries) {
    const found = await runtime.get<{ items: { value: string; labels: Record<string, string> }[] }>(
      `/api/public/forms/${formId}/data-lists/${listId}/search?${new URLSearchParams({ query, locale })}`,
    );
    const labels = found.items.map(
      (item) => `${item.labels[locale] ?? item.labels['default']} (${item.value})`,
    );
    if (labels.length === 0) throw new Error(`nothing found for "${query}" in ${locale}`);
    say(`    ${locale}  "${query}" → ${labels.join(', ')}`);
  }
}

interface Expectation {
  path: string;
  event: string;
  entityId: string;
}

function expectations(
  formId: string,
  submissions: { completed: SubmissionView[]; screenedOut: SubmissionView },
): Expectation[] {
  return [
    ...submissions.completed.flatMap((submission) =>
      ['/crm', '/archive'].map((path) => ({ path, event: 'submission_completed', entityId: submission.id })),
    ),
    {
      path: '/archive',
      event: 'submission_collection_status_changed',
      entityId: submissions.screenedOut.id,
    },
    { path: '/archive', event: 'form_updated', entityId: formId },
  ];
}

function isMet(expectation: Expectation, receiver: Receiver): boolean {
  return receiver.deliveries.some(
    (delivery) =>
      delivery.answered === 200 &&
      delivery.path === expectation.path &&
      delivery.event === expectation.event &&
      (delivery.payload['submissionId'] ?? delivery.payload['formId']) === expectation.entityId,
  );
}

async function waitFor(expected: Expectation[], receiver: Receiver): Promise<Expectation[]> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const missing = expected.filter((expectation) => !isMet(expectation, receiver));
    if (missing.length === 0 || Date.now() > deadline) return missing;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Prints deliveries from `begin` on; earlier ones are kept until then. */
function deliveryLog(): { add(delivery: ReceivedDelivery): void; begin(): void } {
  const early: ReceivedDelivery[] = [];
  let begun = false;
  return {
    add: (delivery) => (begun ? sayDelivery(delivery) : void early.push(delivery)),
    begin() {
      begun = true;
      early.forEach(sayDelivery);
    },
  };
}

function sayDelivery(delivery: ReceivedDelivery): void {
  const what = delivery.payload['submissionId'] ?? delivery.payload['formId'] ?? '';
  say(
    `    ${delivery.at}  hook ${delivery.hookId}  ${delivery.event} ${what} → ${delivery.path}` +
      `  try ${delivery.tryNumber}, ${delivery.verified ? 'verified' : `REFUSED (${delivery.fault})`}, answered ${delivery.answered}`,
  );
}

async function conclude(
  gatewayUrl: string,
  admin: Client,
  formId: string,
  receiver: Receiver,
  expected: Expectation[],
  missing: Expectation[],
): Promise<boolean> {
  const refused = receiver.deliveries.filter((delivery) => !delivery.verified);
  const retried = receiver.deliveries.some(
    (delivery) => delivery.tryNumber === 2 && delivery.answered === 200,
  );
  const page = await admin.get<{ items: { id: string; status: string }[] }>(
    `/api/webhooks/deliveries?formId=${formId}&pageSize=200`,
  );
  say(
    `\n  ${expected.length - missing.length} of ${expected.length} expected deliveries arrived and were verified.`,
  );
  say(`  ${retried ? 'The refused one was tried again and accepted.' : 'NO RETRY WAS SEEN.'}`);
  for (const { path, event, entityId } of missing) say(`  MISSING: ${event} ${entityId} → ${path}`);
  for (const { path, fault } of refused) say(`  NOT VERIFIED: ${path}: ${fault}`);
  say('\n  Look at (with the token of the demo login):');
  say(`    ${gatewayUrl}/api/webhooks/deliveries?formId=${formId}   (${page.items.length} deliveries)`);
  const retriedDelivery = receiver.deliveries.find((delivery) => delivery.answered === 500);
  if (retriedDelivery)
    say(
      `    ${gatewayUrl}/api/webhooks/deliveries?entityId=${String(retriedDelivery.payload['submissionId'])}`,
    );
  say(`    ${gatewayUrl}/health/ui`);
  const good = missing.length === 0 && refused.length === 0 && retried;
  say(`\n  ${good ? 'Every delivery verified.' : 'The demo did not go as it should.'}\n`);
  return good;
}
