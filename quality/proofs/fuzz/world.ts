import { randomUUID } from 'node:crypto';
import { clientOf, eventually, login, proofOf } from '@canvass/testing';
import type { Samples } from './values';

/** Entities that requests are about, and tokens to send them with. */
export interface World {
  tokens: Record<'admin' | 'leaving' | 'viewer' | 'stranger' | 'formToken' | 'submissionToken', string>;
  samples: Samples;
  /** Of the administrator, for `X-Canvass-Proof`. */
  proof: string;
  /** Replaces the parameters of a path by existing ids; a DELETE gets ids of entities created for that. */
  fill(path: string, method: string): string;
}

interface Login {
  email: string;
  password: string;
}

export interface Accounts {
  gatewayUrl: string;
  /** Administrators of the tenant that is fuzzed, and of another one. */
  admin: Login;
  stranger: Login;
  /** Of any tenant; it can sign in. */
  serviceAccount: { clientId: string; clientSecret: string };
}

/** Entities that no request deletes, so that they are created once. */
export interface Fixtures {
  admin: string;
  stranger: string;
  delivery: string;
  message: string;
  endpoint: string;
  recovery: string;
  exported: string;
}

type Json = Record<string, string>;

/** Settings with one endpoint where nothing listens. */
const hook = (event: string): string => {
  const endpoint = { Url: 'http://127.0.0.1:9/fuzz', Authentication: { Type: 'None' } };
  return JSON.stringify({ Events: { [event]: { IsEnabled: true, WebHookEndpoints: [endpoint] } } });
};

export async function createFixtures({ gatewayUrl, ...logins }: Accounts): Promise<Fixtures> {
  const admin = await login(gatewayUrl, logins.admin.email, logins.admin.password);
  const stranger = await login(gatewayUrl, logins.stranger.email, logins.stranger.password);
  const { get, post, patch } = clientOf(gatewayUrl, admin);
  const { id: form } = await post<Json>('/api/forms', {
    name: 'Fuzzed',
    webHookSettingsJson: hook('FormUpdated'),
  });
  await patch(`/api/forms/${form!}`, { description: 'changed' });
  const {
    id: delivery,
    messageId: message,
    endpointId: endpoint,
  } = await eventually(async () => {
    const [first] = (await get<{ items: Json[] }>(`/api/webhooks/deliveries?formId=${form!}`)).items;
    if (first === undefined) throw new Error('There is no delivery yet.');
    return first;
  });
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const { id: recovery } = await post<Json>(`/api/webhooks/endpoints/${endpoint!}/recover`, { since });
  const { id: exported } = await post<Json>(`/api/forms/${form!}/submissions/exports`, { format: 'csv' });
  return {
    admin,
    stranger,
    exported: exported!,
    delivery: delivery!,
    message: message!,
    endpoint: endpoint!,
    recovery: recovery!,
  };
}

/** Creates two of every entity that requests change, and an administrator and a viewer who send them. */
export async function createWorld(
  { gatewayUrl, serviceAccount }: Accounts,
  fixtures: Fixtures,
): Promise<World> {
  const { get, post, put } = clientOf(gatewayUrl, fixtures.admin);
  const anonymous = clientOf(gatewayUrl);
  const password = randomUUID();
  const person = async (...roles: string[]) => {
    const account = { email: `${randomUUID()}@fuzz.example`, password };
    const { id } = await post<Json>('/api/users', { ...account, roles });
    return { ...account, id: id! };
  };
  const entities = async () => {
    const { id: list } = await post<Json>('/api/data-lists', { name: 'Fuzzed', availableLocales: ['de'] });
    const items = [{ value: 'a', labels: { default: 'A', de: 'Ä' } }];
    await put(`/api/data-lists/${list!}/import`, { items });
    const { id: staged } = await post<Json>(`/api/data-lists/${list!}/imports`, { items });
    const { id: form } = await post<Json>('/api/forms', {
      name: 'Fuzzed',
      isEnabled: true,
      dataListIds: [list],
    });
    const submissions = `/api/forms/${form!}/submissions`;
    const submission = await post<Json>(submissions, { jsonData: '{"a":1}' });
    const open = await anonymous.post<Json>(submissions, { jsonData: '{"a":1}' });
    const { id: user } = await person();
    const { id: account } = await post<Json>('/api/service-accounts', { name: 'Fuzzed' });
    const settings = { columns: ['name'] };
    const { id: view } = await post<Json>('/api/views', {
      screen: 'forms',
      name: 'Fuzzed',
      visibility: 'tenant',
      settings,
    });
    const owned = { user: user!, account: account!, view: view! };
    return { list: list!, staged: staged!, form: form!, submission, open, ...owned };
  };
  const [kept, doomed] = [await entities(), await entities()];
  const [admin, viewer] = [await person('Admin'), await person('Viewer')];
  const { tenantId: tenant } = await get<Json>('/api/auth/me');
  const signIn = ({ email, password }: Login) =>
    anonymous.post<Json>('/api/auth/login', { email, password, tenant });
  const [session, other] = [await signIn(admin), await signIn(viewer)];
  const leaving = await signIn(await person('Admin'));
  const proof = await proofOf(clientOf(gatewayUrl, session['accessToken']), admin.password);
  const access = await anonymous.post<Json>(`/api/public/forms/${kept.form}/access-tokens`);

  const ids = (of: typeof kept): [pattern: RegExp, id: string][] => [
    [/(?<=\/data-lists\/)\{(id|dataListId)\}/, of.list],
    [/\{importId\}/, of.staged],
    [/(?<=\/users\/)\{id\}/, of.user],
    [/(?<=\/service-accounts\/)\{id\}/, of.account],
    [/(?<=\/views\/)\{id\}/, of.view],
    [/(?<=\/deliveries\/)\{id\}/, fixtures.delivery],
    [/(?<=\/endpoints\/)\{id\}/, fixtures.endpoint],
    [/\{messageId\}/, fixtures.message],
    [/(?<=\/(exports|submissions\/jobs)\/)\{id\}/, fixtures.exported],
    [/(?<=\/(recoveries|jobs)\/)\{id\}/, fixtures.recovery],
    [/\{formId\}/, of.form],
    [/\{submissionId\}/, of.submission['id']!],
    [/\{submitterId\}/, of.submission['submitterId'] ?? '1'],
    [/\{token\}/, of.open['token']!],
    [/\{locale\}/, 'de'],
    [/\{(number|revision)\}/, '1'],
  ];
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  const json = ['{"a":1}', '[]', '"text"', '{"città":"Łódź"}'];
  return {
    tokens: {
      admin: session['accessToken']!,
      leaving: leaving['accessToken']!,
      viewer: other['accessToken']!,
      stranger: fixtures.stranger,
      formToken: access['token']!,
      submissionToken: kept.open['token']!,
    },
    fill: (path, method) =>
      ids(method === 'DELETE' ? doomed : kept).reduce(
        (text, [pattern, id]) => text.replace(pattern, id),
        path,
      ),
    proof: proof['x-canvass-proof']!,
    samples: {
      tenant: [tenant],
      q: ['Fuzzed', kept.form],
      id: [kept.form, kept.list, kept.submission['id'], kept.user, '1', 7],
      dataListIds: [[], [kept.list], [doomed.list, kept.list]],
      webHookSettingsJson: [null, '{}', hook('SubmissionCompleted'), hook('FormDeleted')],
      jsonData: json,
      metadata: json,
      definition: [{}, { pages: [] }],
      settings: [{}, { columns: ['name'] }, JSON.parse(hook('FormDeleted')) as unknown],
      screen: ['forms', 'submissions'],
      scopeId: [kept.form, null],
      answers: ['json', 'columns'],
      filter: [[], ['isComplete:true'], ['status:new', 'id>1']],
      csv: ['value,default,de\r\nb,B,Be\r\n', 'value;default\r\nc;C\r\n'],
      items: [[], [{ value: 'd', labels: { default: 'D' } }]],
      since: [hourAgo],
      from: [hourAgo],
      to: [new Date().toISOString()],
      bucket: ['1m', '1h'],
      email: [viewer.email, viewer.email, `${randomUUID()}@fuzz.example`],
      password: [viewer.password, viewer.password, 'correct horse battery'],
      currentPassword: [admin.password],
      refreshToken: [other['refreshToken']],
      grant_type: ['client_credentials'],
      client_id: [serviceAccount.clientId],
      client_secret: [serviceAccount.clientSecret],
      values: [['a', 'b']],
      locale: ['de', 'en', 'fr'],
      missing: ['de', 'en', 'fr'],
      defaultLocale: ['de', 'en'],
    },
  };
}
