import { request } from 'node:http';
import type { Authenticator, Permission, Principal } from '@canvass/auth';
import { createServiceTokens } from '@canvass/auth';
import { Problem } from '@canvass/errors';
import { eventually } from '@canvass/testing';
import Joi from 'joi';
import { setTimeout as delay } from 'node:timers/promises';
import { currentContext, ok, type Access, type Endpoint, type HttpAppOptions } from '../src';
import { closeTestApps, problemOf, testApp } from './harness';

afterEach(closeTestApps);

const principal = (...permissions: Permission[]): Principal => ({
  provider: 'Service',
  kind: 'user',
  subject: '5',
  tenantId: '42',
  roles: [],
  permissions: new Set(permissions),
  claims: {},
});

/** Accepts two tokens, in place of the real authenticator, which @canvass/auth tests. */
const authenticator: Authenticator = {
  authenticate: async (header) => {
    await delay(1);
    if (header === undefined) return null;
    if (header === 'Bearer viewer') return principal('Forms.View');
    throw new Problem('invalid_token', { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } });
  },
};

const at = (access: Access): Endpoint => ({
  method: 'get',
  path: '/api/forms/:id',
  kind: 'read',
  operationId: 'getForm',
  summary: '',
  answers: null,
  access,
  handle: (input) =>
    Promise.resolve(
      ok({
        tenant: input.principal?.tenantId ?? null,
        service: input.callingService,
        context: currentContext(),
      }),
    ),
});

const call = async (access: Access, token?: string, options: Partial<HttpAppOptions> = {}) => {
  const { url } = await testApp({ endpoints: [at(access)], authenticator, ...options });
  return fetch(`${url}/api/forms/1`, token === undefined ? {} : { headers: { Authorization: token } });
};

describe('access', () => {
  test.each<[Access, string | undefined, number]>([
    ['anonymous', undefined, 200],
    ['anonymous', 'Bearer wrong', 200],
    ['custom', 'Bearer wrong', 200],
    ['optional', undefined, 200],
    ['optional', 'Bearer viewer', 200],
    ['optional', 'Bearer wrong', 401],
    ['authenticated', undefined, 401],
    ['authenticated', 'Bearer viewer', 200],
    [{ permission: 'Forms.View' }, undefined, 401],
    [{ permission: 'Forms.View' }, 'Bearer viewer', 200],
    [{ permission: 'Forms.Edit' }, 'Bearer viewer', 403],
  ])('%j with %s gives %i', async (access, token, status) => {
    const answer = await call(access, token);
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.headers.get('www-authenticate')).toContain('Bearer');
  });

  test.each<Access>(['anonymous', 'custom', 'optional', 'authenticated'])(
    '%s refuses two Authorization headers: two readers might believe different ones',
    async (access) => {
      const { url } = await testApp({ endpoints: [at(access)], authenticator });
      const status = await new Promise((resolve, reject) => {
        const headers = [
          'Host',
          new URL(url).host,
          'Authorization',
          'Bearer viewer',
          'authorization',
          'Bearer viewer',
        ];
        request(`${url}/api/forms/1`, { headers, agent: false }, (answer) =>
          resolve(answer.resume().statusCode),
        )
          .on('error', reject)
          .end();
      });
      expect(status).toBe(400);
    },
  );

  test('internal requires a service token', async () => {
    const serviceTokens = createServiceTokens('a secret of at least thirty-two bytes');
    const stranger = createServiceTokens('another secret of at least 32 bytes!').sign('relay');
    const answer = await call('internal', `Bearer ${serviceTokens.sign('relay')}`, { serviceTokens });
    expect(await answer.json()).toMatchObject({ service: 'relay' });
    for (const token of [undefined, `Bearer ${stranger}`, 'Bearer viewer', 'Basic x']) {
      expect((await call('internal', token, { serviceTokens })).status).toBe(401);
    }
  });

  test('an application is not created without the guards that its endpoints need', async () => {
    await expect(testApp({ endpoints: [at('optional')] })).rejects.toThrow(
      'the application has no authenticator',
    );
    await expect(testApp({ endpoints: [at('internal')] })).rejects.toThrow(
      'the application has no serviceTokens',
    );
  });
});

describe('request id and trace', () => {
  const withHeaders = async (headers: Record<string, string>) => {
    const { url } = await testApp({ endpoints: [at('anonymous')] });
    const answer = await fetch(`${url}/api/forms/1`, { headers });
    const { context } = (await answer.json()) as {
      context: { requestId: string; clientRequestId?: string; traceparent: string };
    };
    return { ...context, echoed: answer.headers.get('x-request-id') };
  };

  test.each(['abc', 'A-1._z', 'x'.repeat(128)])('the valid id %s is kept and returned', async (id) => {
    const { requestId, clientRequestId, echoed } = await withHeaders({ 'X-Request-Id': id });
    expect([clientRequestId, echoed]).toEqual([id, id]);
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('the id of the gateway is kept beside that of the client', async () => {
    const made = { 'X-Canvass-Request-Id': 'edge-1' };
    expect(await withHeaders({ ...made, 'X-Request-Id': 'mine' })).toMatchObject({
      requestId: 'edge-1',
      clientRequestId: 'mine',
      echoed: 'mine',
    });
    expect(await withHeaders(made)).toMatchObject({ requestId: 'edge-1', echoed: 'edge-1' });
  });

  test.each(['a b', 'x'.repeat(129), 'a/b', '<script>', 'a,b', ''])(
    'the invalid id %j is replaced',
    async (id) => {
      const { requestId, echoed } = await withHeaders({ 'X-Request-Id': id });
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
      expect(echoed).toBe(requestId);
    },
  );

  test('the traceId of a problem is the returned request id', async () => {
    const { url } = await testApp();
    const answer = await fetch(`${url}/api/none`, { headers: { 'X-Request-Id': 'mine' } });
    expect((await problemOf(answer)).traceId).toBe('mine');
  });

  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

  test('a traceparent is continued with a new parent id', async () => {
    const { traceparent } = await withHeaders({ traceparent: `00-${trace}-00f067aa0ba902b7-01` });
    expect(traceparent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
    expect(traceparent).not.toContain('00f067aa0ba902b7');
  });

  test('of a later version, the first four fields are used', async () => {
    const { traceparent } = await withHeaders({ traceparent: `cc-${trace}-00f067aa0ba902b7-00-what` });
    expect(traceparent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
  });

  test.each([
    'nonsense',
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `ff-${trace}-00f067aa0ba902b7-01`,
    `00-${trace}-00f067aa0ba902b7-01-more`,
    `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`,
  ])('the wrong traceparent %s starts a new trace', async (header) => {
    const { traceparent } = await withHeaders({ traceparent: header });
    expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(traceparent).not.toContain(trace);
  });
});

describe('the line and the metric of a request', () => {
  test('one log line with caller, operation and duration, without secrets and bodies', async () => {
    const searched = { ...at({ permission: 'Forms.View' }), query: Joi.object({ search: Joi.string() }) };
    const { url, lines } = await testApp({ endpoints: [searched], authenticator });
    await fetch(`${url}/api/forms/1?search=private`, {
      headers: { Authorization: 'Bearer viewer', Cookie: 'session=abc', 'X-Request-Id': 'r1' },
    });
    await eventually(() => lines.length === 1);
    expect(lines[0]).toMatchObject({
      level: 'info',
      message: 'request',
      service: 'test',
      method: 'GET',
      route: '/api/forms/:id',
      operationId: 'getForm',
      status: 200,
      ms: expect.any(Number) as number,
      bytes: expect.any(Number) as number,
      tenantId: '42',
      principal: 'user',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      clientRequestId: 'r1',
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    });
    expect(lines[0]?.['bytes']).toBeGreaterThan(100);
    expect(JSON.stringify(lines)).not.toMatch(/viewer|session=abc|private/);
  });

  test('in an unmatched path, segments that may be tokens are masked', async () => {
    const { url, lines } = await testApp();
    const token = 'Zk3-'.repeat(10) + 'abc';
    await fetch(`${url}/api/forms/186512345677000192/submissions/by-token/${token}`, { method: 'DELETE' });
    await eventually(() => lines.length === 1);
    expect(lines[0]?.['path']).toBe('/api/forms/186512345677000192/submissions/by-token/********');
  });

  test('metrics are labelled by route template; other paths are "unmatched"', async () => {
    const { url, metrics } = await testApp({ endpoints: [at('anonymous')] });
    for (const path of ['/api/forms/1', '/api/forms/2', '/x1', '/x2', '/.env']) await fetch(url + path);
    await fetch(`${url}/alive`);
    const series = () =>
      metrics.registry.metrics().then((text) => text.split('\n').filter((line) => line.includes('_count')));
    await eventually(async () =>
      expect(await series()).toEqual([
        expect.stringMatching(/method="GET",route="\/api\/forms\/:id",status="200".*} 2$/),
        expect.stringMatching(/route="unmatched",status="404".*} 3$/),
      ]),
    );
  });

  test('two concurrent requests have separate contexts', async () => {
    const { url } = await testApp({
      endpoints: [{ ...at('optional'), handle: async () => (await delay(30), ok(currentContext())) }],
      authenticator,
    });
    const [anonymous, viewer] = await Promise.all([
      fetch(`${url}/api/forms/1`, { headers: { 'X-Request-Id': 'a' } }).then((answer) => answer.json()),
      fetch(`${url}/api/forms/1`, { headers: { 'X-Request-Id': 'b', Authorization: 'Bearer viewer' } }).then(
        (answer) => answer.json(),
      ),
    ]);
    expect(anonymous).toMatchObject({ clientRequestId: 'a' });
    expect(anonymous).not.toHaveProperty('tenantId');
    expect(viewer).toMatchObject({ clientRequestId: 'b', tenantId: '42' });
  });
});

describe('the caller in the log line', () => {
  const lineOf = async (access: Access, headers: Record<string, string>) => {
    const { url, lines } = await testApp({ endpoints: [at(access)], authenticator });
    await fetch(`${url}/api/forms/1`, { headers });
    return eventually(() => {
      const line = lines.find(({ message }) => message === 'request');
      if (line === undefined) throw new Error('The request has no log line yet.');
      return Promise.resolve(line);
    });
  };

  test.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['203.0.113.77:4711, 10.0.0.1', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['[2001:db8:aaaa:bbbb::1]:80', '2001:db8:aaaa::/48'],
  ])('of an address %s it has the network %s', async (address, network) => {
    const line = await lineOf('anonymous', { 'x-forwarded-for': address });
    expect(line['network']).toBe(network);
    const { time: _time, ...rest } = line; // may end with these digits
    expect(JSON.stringify(rest)).not.toContain('.77');
  });

  test('names the provider and the subject of a verified caller', async () => {
    const line = await lineOf('authenticated', { authorization: 'Bearer viewer' });
    expect(line).toMatchObject({ provider: expect.any(String), subject: expect.any(String) });
    const unknown = await lineOf('anonymous', { 'x-forwarded-for': 'not an address' });
    expect(unknown).not.toHaveProperty('subject');
    expect(unknown).not.toHaveProperty('network');
  });
});
