import { clientOf, eventually, login, proofOf } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import { demoTenant, type Callers } from './client';

/** Callers of the permission walk: one per role, and one without a role. */
const roleColumns = [
  'Signed in',
  'Admin',
  'Editor',
  'Reviewer',
  'Viewer',
  'Exporter',
  'Respondent',
  'Integration',
];

/**
 * A tenant with one resource of each kind, each of which contains `marker`, and a token for each kind of
 * caller.
 */
export interface WalkedTenant {
  /** A text in all names and answers of this tenant. */
  marker: string;
  /** Bearer token by column of the table. */
  tokens: Map<string, string | undefined>;
  /** Header of the administrator, for operations that ask for a fresh proof. */
  proof: Record<string, string>;
  formToken: string;
  submissionToken: string;
  /** The ids of its resources. */
  ids: Record<'form' | 'list' | 'submission' | 'delivery' | 'endpoint' | 'message', string>;
  /** Replaces the parameters of a route by ids that exist; null if the tenant has no such resource. */
  fill(path: string): string | null;
  /** The state that a walk could have changed, as the owner reads it. */
  state(): Promise<unknown>;
}

/** @param tenant of the administrator, by which its users sign in */
export async function walkedTenant(
  { gatewayUrl, admin, anonymous }: Callers,
  tenant = demoTenant,
): Promise<WalkedTenant> {
  const marker = `walk-${randomUUID()}`;
  const tokens = new Map<string, string | undefined>([['No token', undefined]]);
  let proof = {};
  for (const column of roleColumns) {
    const roles = column === 'Signed in' ? [] : [column];
    const credentials = { email: `${randomUUID()}@demo.example`, password: randomUUID() };
    await admin.expect(201, 'POST', '/api/users', { ...credentials, name: marker, roles });
    const token = await login(gatewayUrl, credentials.email, credentials.password, tenant);
    tokens.set(column, token);
    if (column === 'Admin') proof = await proofOf(clientOf(gatewayUrl, token), credentials.password);
  }
  const made = async (path: string, body: object) =>
    (await admin.expect<{ id: string }>(201, 'POST', path, body)).id;
  const user = await made('/api/users', {
    email: `${marker}@demo.example`,
    name: marker,
    password: randomUUID(),
  });
  const account = await made('/api/service-accounts', { name: marker });
  const view = await made('/api/views', {
    screen: 'forms',
    name: marker,
    visibility: 'tenant',
    settings: {},
  });
  const list = await made('/api/data-lists', { name: marker, defaultLocale: 'en' });
  await admin.expect(200, 'PUT', `/api/data-lists/${list}/import`, {
    ensureLocales: ['de'],
    items: [{ value: marker, labels: { default: marker, de: marker } }],
  });
  const staged = await made(`/api/data-lists/${list}/imports`, {
    items: [{ value: marker, labels: { default: marker } }],
  });
  // Port 9 has no listener: the delivery fails and stays in the log.
  const endpoint = { Url: `http://127.0.0.1:9/${marker}`, Authentication: { Type: 'None' } };
  const form = await made('/api/forms', {
    name: marker,
    isEnabled: true,
    dataListIds: [list],
    webHookSettingsJson: JSON.stringify({
      Events: { FormUpdated: { IsEnabled: true, WebHookEndpoints: [endpoint] } },
    }),
  });
  await admin.expect(200, 'PATCH', `/api/forms/${form}`, { description: marker });
  const respondent = clientOf(gatewayUrl, tokens.get('Signed in'));
  const submission = await respondent.expect<{ id: string; token: string; submitterId: string }>(
    201,
    'POST',
    `/api/forms/${form}/submissions`,
    { jsonData: JSON.stringify(marker) },
  );
  const access = `/api/public/forms/${form}/access-tokens`;
  const { token: formToken } = await anonymous.expect<{ token: string }>(200, 'POST', access);
  const delivery = await eventually(async () => {
    const path = `/api/webhooks/deliveries?formId=${form}`;
    type Found = { items: { id: string; endpointId: string; messageId: string }[] };
    const { items } = await admin.expect<Found>(200, 'GET', path);
    if (items[0] === undefined) throw new Error('There is no delivery yet.');
    return items[0];
  });
  const exports = `/api/forms/${form}/submissions/exports`;
  const { id: exported } = await admin.expect<{ id: string }>(202, 'POST', exports, { format: 'json' });
  await eventually(() => admin.expect(200, 'GET', `/api/exports/${exported}/file`));

  const ids: [pattern: RegExp, id: string][] = [
    [/(?<=\/data-lists\/):(id|dataListId)/, list],
    [/(?<=\/users\/):id/, user],
    [/(?<=\/service-accounts\/):id/, account],
    [/(?<=\/views\/):id/, view],
    [/(?<=\/deliveries\/):id/, delivery.id],
    [/(?<=\/endpoints\/):id/, delivery.endpointId],
    [/(?<=\/(exports|submissions\/jobs)\/):id(?!\/cancel)/, exported],
    [/:messageId/, delivery.messageId],
    [/:importId/, staged],
    [/:(revision|number)/, '1'],
    [/:formId/, form],
    [/:submissionId/, submission.id],
    [/:submitterId/, submission.submitterId],
    [/:token/, submission.token],
    [/:locale/, 'de'],
    [/^\/api\/search$/, `/api/search?q=${marker}`],
    [/\/answer-texts$/, `/answer-texts?ids=${submission.id}`],
  ];
  const state = [
    `/api/users/${user}`,
    `/api/service-accounts/${account}`,
    `/api/views/${view}`,
    `/api/data-lists/${list}?includeItems=true`,
    `/api/forms/${form}`,
    `/api/forms/${form}/submissions/${submission.id}`,
    `/api/submitters/${submission.submitterId}`,
    `/api/webhooks/endpoints/${delivery.endpointId}/secret`,
    '/api/tenant/webhook-settings',
  ];
  return {
    marker,
    tokens,
    proof,
    formToken,
    submissionToken: submission.token,
    ids: {
      form,
      list,
      submission: submission.id,
      delivery: delivery.id,
      endpoint: delivery.endpointId,
      message: delivery.messageId,
    },
    fill(path) {
      const filled = ids.reduce((text, [pattern, id]) => text.replace(pattern, id), path);
      return filled.includes(':') ? null : filled;
    },
    state: () => Promise.all(state.map((path) => admin.expect(200, 'GET', path))),
  };
}
