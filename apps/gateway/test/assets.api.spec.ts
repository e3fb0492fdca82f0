import { webhookEventNames } from '@canvass/contracts';
import { startHarness, type Harness } from './harness';

let gateway: Harness;
beforeAll(async () => {
  gateway = await startHarness({ settings: { Cors: { Origins: ['https://forms.example.org'] } } });
});
afterAll(() => gateway.close());

const path = '/assets/canvass-surveyjs.js';

describe('the adapter for SurveyJS', () => {
  it('is served as a script that defines connectDataLists, also to configured origins', async () => {
    const origin = 'https://forms.example.org';
    const reply = await fetch(`${gateway.url}${path}`, { headers: { origin } });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(reply.headers.get('access-control-allow-origin')).toBe(origin);
    expect(reply.headers.get('cache-control')).toBe('public, no-cache');
    const text = await reply.text();
    const scope: { canvassSurveyjs?: { connectDataLists: unknown } } = {};
    new Function('globalThis', text)(scope);
    expect(typeof scope.canvassSurveyjs?.connectDataLists).toBe('function');
    expect(text.length).toBeLessThan(16 * 1024);
  });

  it('is not sent again to a browser that has it', async () => {
    const etag = (await fetch(`${gateway.url}${path}`)).headers.get('etag')!;
    const again = await fetch(`${gateway.url}${path}`, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const other = await fetch(`${gateway.url}${path}`, { headers: { 'if-none-match': '"x"' } });
    expect(other.status).toBe(200);
  });

  it('takes no query parameters, as no operation without them', async () => {
    const reply = await fetch(`${gateway.url}${path}?v=1`);
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { errors: { v: ['is not a known parameter; this operation has none'] } },
    ]);
  });

  it('is also found with a slash at the end, as all other paths are', async () => {
    expect((await fetch(`${gateway.url}${path}/`)).status).toBe(200);
    expect((await fetch(`${gateway.url}${path}//`)).status).toBe(404);
  });

  it('answers HEAD without a body, lists its methods in Allow, and answers 404 for other files', async () => {
    const head = await fetch(`${gateway.url}${path}`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const post = await fetch(`${gateway.url}${path}`, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(await post.json()).toMatchObject({ errorCode: 'method_not_allowed' });
    const options = await fetch(`${gateway.url}${path}`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    for (const stranger of ['/assets/', '/assets/x.js', '/assets/constructor']) {
      expect([stranger, (await fetch(`${gateway.url}${stranger}`)).status]).toEqual([stranger, 404]);
    }
  });
});

it('the AsyncAPI document of the events is served, also to configured origins', async () => {
  const origin = 'https://forms.example.org';
  const reply = await fetch(`${gateway.url}/api/asyncapi.json`, { headers: { origin } });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(reply.headers.get('access-control-allow-origin')).toBe(origin);
  expect(await reply.json()).toMatchObject({ asyncapi: '3.0.0', info: { title: 'Canvass events' } });
});

describe('/.well-known/security.txt', () => {
  const at = (url: string) => fetch(`${url}/.well-known/security.txt`);

  it('is not found without a contact', async () => {
    expect((await at(gateway.url)).status).toBe(404);
  });

  it('has the configured contact and expires within a year', async () => {
    const other = await startHarness({ settings: { SecurityContact: 'mailto:security@example.org' } });
    try {
      const reply = await at(other.url);
      expect(reply.status).toBe(200);
      expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      const fields = new Map(
        (await reply.text())
          .trim()
          .split('\n')
          .map((line) => line.split(': ') as [string, string]),
      );
      expect(fields.get('Contact')).toBe('mailto:security@example.org');
      const days = (Date.parse(fields.get('Expires')!) - Date.now()) / 86_400_000;
      expect(days).toBeGreaterThan(300);
      expect(days).toBeLessThan(366);
    } finally {
      await other.close();
    }
  });
});

it('lists the event types of webhooks, with an ETag', async () => {
  const url = `${gateway.url}/api/webhooks/event-types`;
  const reply = await fetch(url);
  const { items } = (await reply.json()) as { items: { name: string }[] };
  expect([reply.status, items.map(({ name }) => name).sort()]).toEqual([200, [...webhookEventNames].sort()]);
  const again = await fetch(url, { headers: { 'if-none-match': reply.headers.get('etag')! } });
  expect(again.status).toBe(304);
});

it('the documents can be turned off, and the adapter of forms stays', async () => {
  const other = await startHarness({ settings: { PublicDocuments: false } });
  try {
    const status = async (at: string) => (await fetch(`${other.url}${at}`)).status;
    for (const document of [
      '/api/docs',
      '/api/openapi.json',
      '/api/openapi-webhooks.json',
      '/api/asyncapi.json',
      '/assets/docs.js',
    ])
      expect([document, await status(document)]).toEqual([document, 404]);
    expect(await status(path)).toBe(200);
    expect(await status('/api/webhooks/event-types')).toBe(200);
  } finally {
    await other.close();
  }
});
