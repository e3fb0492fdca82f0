import { clientOf, eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import type { Samples } from './values';

/** What there is for requests to be about, and who may send them. */
export interface World {
  tokens: Record<'admin' | 'viewer' | 'stranger' | 'formToken' | 'submissionToken', string>;
  samples: Samples;
  /** Puts ids that exist in the place of a path's parameters; those of a DELETE are of things made for that. */
  fill(path: string, method: string): string;
}

/** Who makes it. */
export interface Creator {
  gatewayUrl: string;
  /** Administrators of the tenant that is fuzzed, and of another one. */
  admin: Login;
  stranger: Login;
  /** Of any tenant; it can sign in. */
  serviceAccount: { clientId: string; clientSecret: string };
}

interface Login {
  email: string;
  password: string;
}

type Json = Record<string, string>;
type Call = (method: string, path: string, body?: object, token?: string) => Promise<Json>;

/** Things that nobody deletes by chance, so that they are made once. */
export interface Fixtures {
  admin: string;
  stranger: string;
  delivery: string;
  endpoint: string;
  recovery: string;
}

/** @throws {Error} when a request that must succeed did not */
const callerOf =
  (gatewayUrl: string): Call =>
  (method, path, body, token) =>
    clientOf(gatewayUrl, token).send<Json>(method, path, body);

/** Settings with one endpoint where nobody listens. */
const hook = (event: string): string =>
  JSON.stringify({
    Events: {
      [event]: {
        IsEnabled: true,
        WebHookEndpoints: [{ Url: 'http://127.0.0.1:9/fuzz', Authentication: { Type: 'None' } }],
      },
    },
  });

export async function makeFixtures({ gatewayUrl, ...logins }: Creator): Promise<Fixtures> {
  const call = callerOf(gatewayUrl);
  const signedIn = async (login: Login) => (await call('POST', '/api/auth/login', login))['accessToken']!;
  const [admin, stranger] = [await signedIn(logins.admin), await signedIn(logins.stranger)];
  const settings = { name: 'Fuzzed', webHookSettingsJson: hook('FormUpdated') };
  const { id: form } = await call('POST', '/api/forms', settings, admin);
  await call('PATCH', `/api/forms/${form!}`, { description: 'changed' }, admin);
  const { id: delivery, endpointId: endpoint } = await eventually(async () => {
    const found = await call('GET', `/api/webhooks/deliveries?formId=${form!}`, undefined, admin);
    const [first] = found['items'] as unknown as Json[];
    if (first === undefined) throw new Error('There is no delivery yet.');
    return first;
  });
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const { id: recovery } = await call(
    'POST',
    `/api/webhooks/endpoints/${endpoint!}/recover`,
    { since },
    admin,
  );
  return { admin, stranger, delivery: delivery!, endpoint: endpoint!, recovery: recovery! };
}

/** Makes two of everything that requests change, and an administrator and a viewer who send them. */
export async function makeWorld({ gatewayUrl, serviceAccount }: Creator, fixtures: Fixtures): Promise<World> {
  const call = callerOf(gatewayUrl);
  const make = (path: string, body: object) => call('POST', path, body, fixtures.admin);
  const person = async (...roles: string[]) => {
    const login = { email: `${randomUUID()}@fuzz.example`, password: randomUUID() };
    const { id } = await make('/api/users', { ...login, roles });
    return { ...login, id: id! };
  };
  const things = async () => {
    const { id: list } = await make('/api/data-lists', { name: 'Fuzzed', availableLocales: ['de'] });
    await call(
      'PUT',
      `/api/data-lists/${list!}/import`,
      { items: [{ value: 'a', labels: { default: 'A', de: 'Ä' } }] },
      fixtures.admin,
    );
    const { id: form } = await make('/api/forms', { name: 'Fuzzed', isEnabled: true, dataListIds: [list] });
    const submissions = `/api/forms/${form!}/submissions`;
    const submission = await make(submissions, { jsonData: '{"a":1}' });
    const open = await call('POST', submissions, { jsonData: '{"a":1}' });
    const user = await person();
    const { id: account } = await make('/api/service-accounts', { name: 'Fuzzed' });
    return { list: list!, form: form!, submission, open, user: user.id, account: account! };
  };
  const [kept, doomed] = [await things(), await things()];
  const [admin, viewer] = [await person('Admin'), await person('Viewer')];
  const signedIn = ({ email, password }: Login) => call('POST', '/api/auth/login', { email, password });
  const session = await signedIn(admin);
  const other = await signedIn(viewer);
  const access = await call('POST', `/api/public/forms/${kept.form}/access-tokens`);

  const ids = (of: typeof kept): [pattern: RegExp, id: string][] => [
    [/(?<=\/data-lists\/)\{(id|dataListId)\}/, of.list],
    [/(?<=\/users\/)\{id\}/, of.user],
    [/(?<=\/service-accounts\/)\{id\}/, of.account],
    [/(?<=\/deliveries\/)\{id\}/, fixtures.delivery],
    [/(?<=\/endpoints\/)\{id\}/, fixtures.endpoint],
    [/(?<=\/recoveries\/)\{id\}/, fixtures.recovery],
    [/\{formId\}/, of.form],
    [/\{submissionId\}/, of.submission['id']!],
    [/\{submitterId\}/, of.submission['submitterId'] ?? '1'],
    [/\{token\}/, of.open['token']!],
    [/\{locale\}/, 'de'],
    [/\{number\}/, '1'],
  ];
  const json = ['{"a":1}', '[]', '"text"', '{"città":"Łódź"}'];
  return {
    tokens: {
      admin: session['accessToken']!,
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
    samples: {
      id: [kept.form, kept.list, kept.submission['id'], kept.user, '1', 7],
      dataListIds: [[], [kept.list], [doomed.list, kept.list]],
      webHookSettingsJson: [null, '{}', hook('SubmissionCompleted'), hook('FormDeleted')],
      jsonData: json,
      metadata: json,
      definition: [{}, { pages: [] }],
      filter: [[], ['isComplete:true'], ['status:new', 'id>1']],
      csv: ['value,default,de\r\nb,B,Be\r\n', 'value;default\r\nc;C\r\n'],
      items: [[], [{ value: 'd', labels: { default: 'D' } }]],
      since: [new Date(Date.now() - 60_000).toISOString()],
      email: [viewer.email, viewer.email, `${randomUUID()}@fuzz.example`],
      password: [viewer.password, viewer.password, 'correct horse battery'],
      currentPassword: [admin.password],
      refreshToken: [other['refreshToken']],
      grant_type: ['client_credentials'],
      client_id: [serviceAccount.clientId],
      client_secret: [serviceAccount.clientSecret],
      values: [['a', 'b']],
      locale: ['de', 'en', 'fr'],
      defaultLocale: ['de', 'en'],
    },
  };
}
