import { eventually, type WebhookSink } from '@canvass/testing';
import { randomBytes } from 'node:crypto';
import { demoTenant, type Callers } from './client';

/** The secrets that went through the stack, and its responses. */
export interface ExposedSecrets {
  /** Every secret, by name. */
  secrets: Map<string, string>;
  /** All responses, except those that return a secret on purpose. */
  answers: string;
  /** All responses of the API of the delivery log. */
  log: string;
}

type Body = Record<string, string> & { items: { id: string; url: string }[] };

/** A unique text. */
const canary = (what: string) => `canary-${what}-${randomBytes(9).toString('base64url')}`;

/**
 * Uses unique secrets in every operation that accepts or returns one: correctly, misspelt, in a wrong place,
 * and with a receiver that echoes its request. Puts `mark` into readable places: name and description of a
 * form, the request ids, and an unknown member.
 */
export async function exposeSecrets(
  callers: Callers,
  sink: WebhookSink,
  mark: { text: string; forms: string },
): Promise<ExposedSecrets> {
  const { gatewayUrl } = callers;
  const secrets = new Map<string, string>();
  const answers: string[] = [];
  const know = (name: string, secret: string) => (secrets.set(name, secret), secret);
  /** Notes the signature of a token, which alone is secret. */
  const knowToken = (name: string, token: string) => (know(name, token.split('.')[2]!), token);

  interface Call {
    token?: string | undefined;
    body?: unknown;
    headers?: Record<string, string>;
    /** The response returns a secret on purpose. */
    gives?: boolean;
  }
  async function call(
    method: string,
    path: string,
    { token, body, headers, gives }: Call = {},
  ): Promise<Body> {
    const isForm = body instanceof URLSearchParams;
    const answer = await fetch(gatewayUrl + path, {
      method,
      headers: {
        'x-request-id': mark.text,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!gives || !answer.ok)
      answers.push(`${method} ${answer.status} ${JSON.stringify([...answer.headers])} ${text}`);
    return (answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {}) as Body;
  }

  // Users and service accounts
  const email = `${randomBytes(6).toString('hex')}@demo.example`;
  const password = know('password', canary('password'));
  const admin = callers.admin.token;
  knowToken('bearer of an administrator', admin!);
  await call('POST', '/api/users', {
    token: admin,
    body: { email, password, name: 'Canary', roles: ['Viewer'] },
  });
  const login = (typed: string) =>
    call('POST', '/api/auth/login', { body: { email, password: typed, tenant: demoTenant }, gives: true });
  await login(know('mistyped password', canary('mistyped')));
  await call('POST', '/api/auth/login', { body: `{"email":"${email}","password":"${password}` });
  const session = await login(password);
  const bearer = knowToken('bearer', session['accessToken']!);
  const renewed = await call('POST', '/api/auth/refresh-token', {
    body: { refreshToken: know('refresh token', session['refreshToken']!) },
    gives: true,
  });
  know('second refresh token', renewed['refreshToken']!);
  const newPassword = know('new password', canary('new-password'));
  const passwords = { currentPassword: password, newPassword };
  await call('POST', '/api/auth/me/password', { token: bearer, body: { ...passwords, [mark.text]: 1 } });
  await call('POST', '/api/auth/me/password', { token: bearer, body: passwords });
  await call('GET', '/api/users', { token: `${bearer}x` });
  await call('GET', `/api/users?access_token=${bearer}`, { token: bearer });
  await call('POST', '/api/auth/logout', { token: bearer, body: { refreshToken: renewed['refreshToken'] } });
  const keyed = { token: admin, headers: { 'idempotency-key': 'canary' }, gives: true };
  const account = await call('POST', '/api/service-accounts', {
    ...keyed,
    body: { name: 'Canary', roles: ['Integration'] },
  });
  const clientSecret = know('client secret', account['clientSecret']!);
  const grant = (secret: string) =>
    new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: account['clientId']!,
      client_secret: secret,
    });
  const issued = await call('POST', '/api/auth/token', { body: grant(clientSecret), gives: true });
  knowToken('bearer of a service account', issued['access_token']!);
  await call('POST', '/api/auth/token', { body: grant(know('mistyped client secret', canary('client'))) });
  await call('POST', `/api/auth/token?client_secret=${clientSecret}`, { body: '{' });

  // Webhook settings of form and tenant, valid and invalid
  const seen = new Set<string>();
  const isFirst = (delivery: string) => !seen.has(delivery) && seen.add(delivery).size > 0;
  const accessToken = know('token of an endpoint', canary('access-token'));
  sink.respond((request) =>
    request.path.endsWith('/token')
      ? { status: 200, body: JSON.stringify({ access_token: accessToken, token_type: 'Bearer' }) }
      : {
          // The first attempt of each delivery fails.
          status: isFirst(`${request.headers['webhook-id']} ${request.headers['x-api-key']}`) ? 503 : 200,
          body: `${JSON.stringify(request.headers)} ${request.headers['x-api-key'] ?? ''} ${request.path}`,
        },
  );
  const apiKey = know('API key', canary('api-key'));
  const teamKey = know('further header', canary('header'));
  const endpointSecret = know('client secret of an endpoint', canary('endpoint-client'));
  const settings = (url: string, key: unknown = apiKey) => ({
    webHookSettingsJson: JSON.stringify({
      Events: {
        FormUpdated: {
          IsEnabled: true,
          WebHookEndpoints: [
            {
              Url: url,
              Authentication: { Type: 'ApiKey', ApiKeyHeader: 'X-Api-Key', ApiKey: key },
              Headers: { 'X-Team': teamKey },
            },
            {
              Url: url,
              Authentication: {
                Type: 'OAuth2',
                TokenUrl: `${sink.url}/token`,
                ClientId: 'canary',
                ClientSecret: endpointSecret,
              },
            },
          ],
        },
      },
    }),
  });
  const form = { name: mark.text, description: mark.forms, isEnabled: true };
  const made = await call('POST', '/api/forms', { token: admin, body: { ...form, ...settings(sink.url) } });
  const path = `/api/forms/${made['id']}`;
  const inUrl = know('password in a URL', canary('url'));
  await call('PATCH', path, { token: admin, body: settings(`http://user:${inUrl}@127.0.0.1:9/`) });
  await call('PATCH', path, { token: admin, body: settings(sink.url, [apiKey]) });
  await call('PATCH', path, {
    token: admin,
    body: { webHookSettingsJson: `{"Events":{"ApiKey":"${apiKey}` },
  });
  await call('PATCH', path, { token: admin, body: { description: `${mark.forms} changed` } });
  const tenantPath = '/api/tenant/webhook-settings';
  const stranger = callers.stranger.token;
  const tenantKey = know('API key of a tenant', canary('tenant-key'));
  await call('PUT', tenantPath, { token: stranger, body: settings(sink.url, tenantKey) });
  const strange = await call('POST', '/api/forms', { token: stranger, body: { ...form, isEnabled: false } });
  await call('PATCH', `/api/forms/${strange['id']}`, { token: stranger, body: { description: 'changed' } });
  await call('GET', tenantPath, { token: stranger });
  const arrived = (key: string) =>
    eventually(
      () => {
        if (!sink.requests.some(({ headers }) => headers['x-api-key'] === key)) throw new Error('not yet');
      },
      { timeoutMs: 60_000, message: 'a request with an API key' },
    );
  await arrived(tenantKey);
  await call('PUT', tenantPath, { token: stranger, body: { webHookSettingsJson: '{}' } });

  // Respondents
  const submissions = `${path}/submissions`;
  const created = await call('POST', submissions, {
    headers: { 'idempotency-key': canary('idempotency-key-of-a-respondent') },
    body: { jsonData: '{"a":1}' },
    gives: true,
  });
  const submissionToken = know('submission token', created['token']!);
  const byToken = `${submissions}/by-token/${submissionToken}`;
  // Requests with the token return it.
  await call('GET', byToken, { gives: true });
  await call('PATCH', byToken, { body: { jsonData: '{"a":2}' }, gives: true });
  await call('PATCH', byToken, { body: { jsonData: 7 } });
  await call('DELETE', byToken);
  await call('GET', `${byToken}/further?token=${submissionToken}`);
  const access = await call('POST', `/api/public/forms/${made['id']}/access-tokens`, { gives: true });
  const formToken = knowToken('form-access token', access['token']!);
  await call('GET', `/api/public/forms/${made['id']}/data-lists/1/search?query=a`, { token: formToken });
  await call('GET', submissions, { token: formToken });

  // Signing secrets
  const endpoint = await eventually(async () => {
    const { items } = await callers.admin.expect<Body>(200, 'GET', '/api/webhooks/endpoints?limit=200');
    const found = items.find(({ url }) => url.startsWith(sink.url));
    if (found === undefined) throw new Error('the endpoint is not known yet');
    return `/api/webhooks/endpoints/${found.id}`;
  });
  const first = await call('GET', `${endpoint}/secret`, { token: admin, gives: true });
  const second = await call('POST', `${endpoint}/rotate-secret`, { ...keyed, body: {} });
  know('signing secret', first['secret']!.slice('whsec_'.length));
  know('rotated signing secret', second['secret']!.slice('whsec_'.length));
  await call('GET', `${endpoint}/secret`, { token: stranger });
  await call('POST', `${endpoint}/test`, { token: admin });
  await call('PATCH', path, { token: admin, body: { description: `${mark.forms} changed again` } });

  const log: unknown[] = [];
  await eventually(
    async () => {
      const deliveries = `/api/webhooks/deliveries?formId=${made['id']}&limit=200`;
      const { items } = await callers.admin.expect<{ items: { id: string; status: string }[] }>(
        200,
        'GET',
        deliveries,
      );
      if (items.length < 3 || items.some(({ status }) => status !== 'delivered' && status !== 'dead'))
        throw new Error(`${items.map(({ status }) => status).join()} so far`);
      for (const one of [...items.map(({ id }) => `/api/webhooks/deliveries/${id}`), deliveries, endpoint])
        log.push(await callers.admin.expect(200, 'GET', one));
    },
    { timeoutMs: 60_000 },
  );
  await arrived(apiKey);
  await call('PATCH', path, { token: admin, body: { webHookSettingsJson: '{}', isEnabled: false } });
  return { secrets, answers: answers.join('\n'), log: JSON.stringify(log) };
}
