import type { IncomingMessage } from 'node:http';
import { rawRequest, startHarness, type Harness } from './harness';

describe('forwarding', () => {
  let gateway: Harness;
  beforeAll(async () => {
    gateway = await startHarness({ settings: { Cors: { Origins: ['https://forms.example.org'] } } });
  });
  afterAll(() => gateway.close());

  /** Returns what a service got for a raw request to it. */
  async function received(path: string, headers: string[], method = 'GET'): Promise<IncomingMessage> {
    let got: IncomingMessage | undefined;
    gateway.services.Submissions.handler = (request, response) => {
      got = request;
      request.resume().once('end', () => response.end('{}'));
    };
    const answer = await rawRequest(
      gateway.port,
      `${method} ${path} HTTP/1.1\r\nHost: api.example.org\r\n${headers.map((line) => `${line}\r\n`).join('')}Connection: close\r\n\r\n`,
    );
    expect(answer.status).toBe(200);
    return got!;
  }

  it.each([
    ['/api/forms', 'Submissions'],
    ['/api/forms/1/submissions/by-token/abc', 'Submissions'],
    ['/forms/1/submissions/onbehalf', 'Submissions'],
    ['/api/public/forms/1', 'Submissions'],
    ['/.well-known/form-access-jwks.json', 'Submissions'],
    ['/api/public/forms/1/data-lists/2/search?query=a%20b', 'DataLists'],
    ['/api/data-lists/3/import?dryRun=true', 'DataLists'],
    ['/api/auth/login', 'Identity'],
    ['/.well-known/jwks.json', 'Identity'],
    ['/api/webhooks/deliveries?status=dead', 'WebHookRelay'],
  ] as const)('sends %s to %s, unchanged', async (path, name) => {
    const service = gateway.services[name];
    service.handler = (_request, response) => response.end(name);
    const response = await fetch(gateway.url + path);
    expect(await response.text()).toBe(name);
    expect(service.seen.at(-1)).toBe(`GET ${path}`);
  });

  it('passes status, headers and body of a service through as they are', async () => {
    gateway.services.Submissions.handler = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.once('end', () => {
        const headers = [
          ['Content-Type', 'application/problem+json'],
          ['ETag', '"7"'],
          ['X-Powered-By', 'something'],
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
          ['Connection', 'X-Hop'],
          ['X-Hop', 'secret'],
        ];
        response.writeHead(409, headers.flat());
        response.end(`${request.headers['content-type']}:${Buffer.concat(chunks).toString()}`);
      });
    };
    const response = await fetch(`${gateway.url}/api/forms`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"ü"}',
    });
    expect(response.status).toBe(409);
    expect(await response.text()).toBe('application/json:{"name":"ü"}');
    expect(response.headers.get('etag')).toBe('"7"');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.has('x-powered-by')).toBe(false);
    expect(response.headers.has('x-hop')).toBe(false);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toBe("default-src 'none';base-uri 'none';frame-ancestors 'none'");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('strips hop-by-hop and identity headers and says who the client is', async () => {
    const { headers } = await received('/api/forms', [
      'Authorization: Bearer t',
      'Accept-Language: pl',
      'Idempotency-Key: k1',
      'X-User-Id: 1',
      'X-Tenant: 2',
      'x-forwarded-USER: root',
      'X-Forwarded-For: 10.0.0.1',
      'X-Forwarded-Proto: https',
      'Forwarded: for=10.0.0.1',
      'X-Original-URL: /internal/secret',
      'X-HTTP-Method-Override: DELETE',
      'X-Service-Event: fake',
      'X-Canvass-User: root',
      'X-Canvass-Proof-Of: root',
      'X-Canvass-Proof: sealed',
      'Proxy-Authorization: Basic x',
      'TE: trailers',
      'Upgrade: h2c',
      'Keep-Alive: timeout=5',
      'X-Private-Hop: yes',
      'Connection: x-private-hop, authorization',
    ]);
    expect(headers).toMatchObject({
      authorization: 'Bearer t',
      'accept-language': 'pl',
      'idempotency-key': 'k1',
      'x-canvass-proof': 'sealed',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'api.example.org',
    });
    for (const name of [
      'x-user-id',
      'x-tenant',
      'x-forwarded-user',
      'forwarded',
      'x-original-url',
      'x-http-method-override',
      'x-service-event',
      'x-canvass-user',
      'x-canvass-proof-of',
      'proxy-authorization',
      'te',
      'upgrade',
      'keep-alive',
      'x-private-hop',
    ]) {
      expect(headers).not.toHaveProperty(name);
    }
  });

  it('keeps a sane request id and a trace, and makes them where there are none', async () => {
    const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const sent = await received('/api/forms', ['X-Request-Id: abc-1', `traceparent: ${trace}`]);
    expect(sent.headers['x-request-id']).toBe('abc-1');
    expect(sent.headers['traceparent']).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)/);

    const made = await received('/api/forms', ['X-Request-Id: <script>', 'traceparent: 00-0-0-0']);
    expect(made.headers['x-request-id']).toBeUndefined();
    expect(made.headers['x-canvass-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(made.headers['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);

    const response = await fetch(`${gateway.url}/api/forms`, { headers: { 'x-request-id': 'mine' } });
    expect(response.headers.get('x-request-id')).toBe('mine');
  });

  it('makes an id of its own for every request, which no client can choose', async () => {
    const chosen = [
      'X-Request-Id: chosen',
      'X-Canvass-Request-Id: chosen',
      'Connection: X-Canvass-Request-Id',
    ];
    const ids = new Set<unknown>();
    for (let n = 0; n < 2; n += 1) {
      const { headers } = await received('/api/forms', chosen);
      expect(headers['x-request-id']).toBe('chosen');
      expect(headers['x-canvass-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      ids.add(headers['x-canvass-request-id']);
    }
    expect(ids.size).toBe(2);
  });

  it('trusts as many forwarding proxies as are configured, and no more', async () => {
    const behind = await startHarness({ settings: { TrustedHops: 1 } });
    const got: unknown[] = [];
    behind.services.Submissions.handler = (request, response) => {
      got.push([request.headers['x-forwarded-for'], request.headers['x-forwarded-proto']]);
      response.end();
    };
    const headers = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9', 'x-forwarded-proto': 'https' };
    await fetch(`${behind.url}/api/forms`, { headers });
    expect(got).toEqual([['203.0.113.9, 127.0.0.1', 'https']]);
    await behind.close();
  });

  it('answers HEAD without a body and with the length of the GET', async () => {
    gateway.services.Submissions.handler = (request, response) => {
      response.setHeader('Content-Length', 11).end(request.method === 'HEAD' ? undefined : 'hello world');
    };
    const head = await fetch(`${gateway.url}/api/forms/1`, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe('11');
    expect(await head.text()).toBe('');
  });

  it('leaves OPTIONS to the service, which knows the methods of a path', async () => {
    gateway.services.Submissions.handler = (request, response) => {
      const isKnown = request.url === '/api/forms';
      response.writeHead(isKnown ? 204 : 404, isKnown ? { Allow: 'GET, HEAD, OPTIONS, POST' } : {}).end();
    };
    const options = await fetch(`${gateway.url}/api/forms`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
    for (const path of ['/api/forms/1/nothing', '/api/nothing'])
      expect((await fetch(gateway.url + path, { method: 'OPTIONS' })).status).toBe(404);
  });

  it('answers 405 to unknown methods itself', async () => {
    const before = gateway.services.Submissions.seen.length;
    const trace = await rawRequest(
      gateway.port,
      'TRACE /api/forms HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );
    expect(trace.status).toBe(405);
    expect(trace.head).toMatch(/allow: GET/i);
    expect(gateway.services.Submissions.seen).toHaveLength(before);
  });

  it('lets pages of the configured origins in, and only those', async () => {
    const preflight = (origin: string) =>
      fetch(`${gateway.url}/api/forms`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'if-match',
        },
      });
    const allowed = await preflight('https://forms.example.org');
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://forms.example.org');
    expect(allowed.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(allowed.headers.get('access-control-allow-headers')).toBe('if-match');
    expect(allowed.headers.get('vary')).toMatch(/origin/i);

    const refused = await preflight('https://evil.example');
    expect(refused.headers.has('access-control-allow-origin')).toBe(false);

    const call = await fetch(`${gateway.url}/api/nothing`, {
      headers: { origin: 'https://forms.example.org' },
    });
    expect(call.status).toBe(404);
    expect(call.headers.get('access-control-allow-origin')).toBe('https://forms.example.org');
  });

  it('answers an unknown path with a problem of its own', async () => {
    const response = await fetch(`${gateway.url}/api/nothing`, { headers: { 'x-request-id': 'r-1' } });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toMatch('application/problem+json');
    expect(await response.json()).toMatchObject({ status: 404, errorCode: 'not_found', traceId: 'r-1' });
  });

  it('has no routes for a service that is not configured', async () => {
    const without = await startHarness({ absent: ['Identity'] });
    expect((await fetch(`${without.url}/api/auth/login`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${without.url}/api/forms`)).status).toBe(200);
    await without.close();
  });
});
