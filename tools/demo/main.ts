/**
 * Fills the demonstration tenant. Then plays the main job on real data and prints what happens: a data list of
 * all countries, a form that uses it and has two webhook endpoints, respondents of every kind, and a receiver
 * that verifies every delivery.
 */
import type { FormView, SubmissionView } from '@canvass/contracts';
import { clientCredentials, clientOf, eventually, login, type Client } from '@canvass/testing';
import type { StackFile } from '../start/stack-file';
import { startEndpoints } from './endpoints';
import { startReceiver, type ReceivedDelivery, type Receiver } from './receiver';
import { countriesOf, fillTenant } from './tenant';

const say = (line = '') => console.log(line);

/**
 * The endpoints of the tenant answer as long as this process runs.
 *
 * @param dir folder of the stack
 * @returns whether every expected delivery arrived and was verified
 */
export async function playDemo(stack: StackFile, dir: string): Promise<boolean> {
  const { gatewayUrl, demo } = stack;
  const { url: endpointsUrl } = await startEndpoints(dir);
  await fillTenant(stack, { dir, endpointsUrl, say });
  say('\nThe demo: one form, one list of countries, four respondents, two receivers of webhooks.\n');
  const receiver = await startReceiver();
  try {
    const admin = clientOf(gatewayUrl, await login(gatewayUrl, demo.adminEmail, demo.adminPassword));
    const { id: listId } = await countriesOf(admin, ({ rows, durationMs, languages }) =>
      say(
        `  Data list "Countries": ${rows} countries in ${languages} languages, imported in ${durationMs} ms`,
      ),
    );
    const form = await createForm(admin, receiver.url, listId);
    await trustEndpoints(admin, receiver, form.id);
    await searchCountries(gatewayUrl, form.id, listId);
    const { completed, screenedOut } = await playRespondents(stack, admin, form.id);
    await admin.patch<FormView>(`/api/forms/${form.id}`, { description: 'Closed on Friday.' });
    const expected = [
      ...completed.flatMap(({ id }: SubmissionView) => [
        `submission_completed ${id} → /crm`,
        `submission_completed ${id} → /archive`,
      ]),
      `submission_collection_status_changed ${screenedOut.id} → /archive`,
      `form_updated ${form.id} → /archive`,
    ];
    return await conclude(gatewayUrl, form.id, receiver.deliveries, expected);
  } finally {
    await receiver.stop();
  }
}

async function createForm(admin: Client, receiverUrl: string, listId: string): Promise<FormView> {
  const at = (name: string) => ({ Url: `${receiverUrl}/${name}`, Authentication: { Type: 'None' } });
  const [crm, archive] = [at('crm'), at('archive')];
  const to = (...WebHookEndpoints: object[]) => ({ IsEnabled: true, WebHookEndpoints });
  const Events = {
    SubmissionCompleted: to(crm, archive),
    SubmissionCollectionStatusChanged: to(archive),
    FormUpdated: to(archive),
  };
  const form = await admin.post<FormView>('/api/forms', {
    name: 'Where do you live?',
    isEnabled: true,
    definition: { elements: [{ type: 'dropdown', name: 'country', dataList: listId }] },
    dataListIds: [listId],
    webHookSettingsJson: JSON.stringify({ Events }),
  });
  say(`  Form ${form.id}: "${form.name}", reads that list, webhooks to ${crm.Url} and ${archive.Url}`);
  return form;
}

interface Endpoints {
  items: { id: string; url: string; scopeId: string }[];
}

/** Gives the receiver the signing secrets of the endpoints, which the relay has once it knows the form. */
async function trustEndpoints(admin: Client, receiver: Receiver, formId: string): Promise<void> {
  const path = '/api/webhooks/endpoints';
  const found = await eventually(
    async () => {
      const { items } = await admin.get<Endpoints>(`${path}?limit=200`);
      const ours = items.filter(({ scopeId }) => scopeId === formId);
      return ours.length === 2 ? ours : Promise.reject(new Error(`${ours.length} of 2`));
    },
    { timeoutMs: 20_000, message: 'the relay knows the endpoints' },
  );
  for (const { id, url } of found) {
    const { secret } = await admin.get<{ secret: string }>(`${path}/${id}/secret`);
    receiver.secrets.set(new URL(url).pathname, secret);
  }
}

async function searchCountries(gatewayUrl: string, formId: string, listId: string): Promise<void> {
  const form = `/api/public/forms/${formId}`;
  const { token } = await clientOf(gatewayUrl).post<{ token: string }>(`${form}/access-tokens`, {});
  const runtime = clientOf(gatewayUrl, token);
  say('  The form runtime searches the list with its form-access token:');
  for (const [query, locale] of [
    ['ger', 'en'],
    ['osterreich', 'de'],
    ["d'ivoire", 'fr'],
    ['греция', 'ru'],
  ] as const) {
    const { items } = await runtime.get<{ items: { value: string; labels: Record<string, string> }[] }>(
      `${form}/data-lists/${listId}/search?${new URLSearchParams({ query, locale })}`,
    );
    if (items.length === 0) throw new Error(`nothing found for "${query}" in ${locale}`);
    const shown = items.map(({ value, labels }) => `${labels[locale] ?? labels['default']} (${value})`);
    say(`    ${locale}  "${query}" → ${shown.join(', ')}`);
  }
}

const answers = (country: string) => ({ jsonData: JSON.stringify({ country }) });

/** One submission of each kind: three that complete and one that is screened out. */
async function playRespondents(
  { gatewayUrl, demo }: StackFile,
  identified: Client,
  formId: string,
): Promise<{ completed: SubmissionView[]; screenedOut: SubmissionView }> {
  const anonymous = clientOf(gatewayUrl);
  const integration = clientOf(gatewayUrl, await clientCredentials(gatewayUrl, demo.serviceAccount));
  const path = `/api/forms/${formId}/submissions`;
  const isComplete = true;
  say('  Respondents:');

  const begun = await anonymous.post<{ token: string }>(path, { ...answers('IS'), currentPage: 1 });
  const first = await anonymous.patch<SubmissionView>(`${path}/by-token/${begun.token}`, { isComplete });
  say(`    anonymous    submission ${first.id}, begun, then completed with its token, no submitter`);

  const of = ({ id, submitterId, submitterDisplayId }: SubmissionView) =>
    `submission ${id}, submitter ${submitterId} (${submitterDisplayId})`;
  const second = await identified.post<SubmissionView>(path, { ...answers('CI'), isComplete });
  say(`    identified   ${of(second)}`);

  const profile = { department: 'Sales', shoeSize: '39' };
  const third = await integration.post<SubmissionView>(`/forms/${formId}/submissions/onbehalf`, {
    ...answers('GR'),
    isComplete,
    submitter: { externalSubjectId: 'crm-4711', displayId: 'Ελένη Παπαδοπούλου', profile },
  });
  say(`    on behalf    ${of(third)}, snapshot ${JSON.stringify(third.submitterProfileSnapshot)}`);

  const collectionOutcome = 'screen_out';
  const screenedOut = await anonymous.post<SubmissionView>(path, { ...answers('AQ'), collectionOutcome });
  say(`    screened out submission ${screenedOut.id}, ${screenedOut.collectionStatus}`);
  return { completed: [first, second, third], screenedOut };
}

/** Names a delivery as `expected` lists it. */
const nameOf = ({ event, payload, path }: ReceivedDelivery): string =>
  `${event} ${String(payload['submissionId'] ?? payload['formId'] ?? '')} → ${path}`;

/** Waits for the expected deliveries and prints what the receiver saw. */
async function conclude(
  gatewayUrl: string,
  formId: string,
  deliveries: readonly ReceivedDelivery[],
  expected: readonly string[],
): Promise<boolean> {
  say('\n  Deliveries, as the receiver sees and verifies them (one first try is answered 500 on purpose):');
  const missing = () => {
    const accepted = new Set(deliveries.filter(({ answered }) => answered === 200).map(nameOf));
    return expected.filter((each) => !accepted.has(each));
  };
  await eventually(() => missing().length === 0, { timeoutMs: 30_000 }).catch(() => undefined);
  for (const delivery of deliveries) {
    const { at, hookId, tryNumber, fault, answered } = delivery;
    const verified = fault === null ? 'verified' : `REFUSED (${fault})`;
    say(
      `    ${at}  hook ${hookId}  ${nameOf(delivery)}  try ${tryNumber}, ${verified}, answered ${answered}`,
    );
  }
  const refused = deliveries.filter(({ fault }) => fault !== null);
  const retried = deliveries.some(({ tryNumber, answered }) => tryNumber === 2 && answered === 200);
  const arrived = expected.length - missing().length;
  say(`\n  ${arrived} of ${expected.length} expected deliveries arrived and were verified.`);
  say(`  ${retried ? 'The refused one was tried again and accepted.' : 'NO RETRY WAS SEEN.'}`);
  for (const each of missing()) say(`  MISSING: ${each}`);
  for (const { path, fault } of refused) say(`  NOT VERIFIED: ${path}: ${fault}`);
  say(
    `\n  Look at ${gatewayUrl}/api/webhooks/deliveries?formId=${formId} (with the token of the demo login).`,
  );
  const isGood = arrived === expected.length && refused.length === 0 && retried;
  say(`\n  ${isGood ? 'Every delivery verified.' : 'The demo did not go as it should.'}\n`);
  return isGood;
}
