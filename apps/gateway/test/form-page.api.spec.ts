// cspell:ignore Seiten viele Warum
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { startHarness, type Harness } from './harness';

const template =
  '<html lang="{{language}}">{{style}}{{logo}}<script src="./assets/index-B1c2D3e4.js"></script><h1>{{title}}</h1>{{description}}' +
  '<p>{{status}}</p><div>{{content}}</div><script type="application/json">{{data}}</script></html>';
const scriptPath = '/f/assets/index-B1c2D3e4.js';

let folder: string;
let gateway: Harness;
/** What the service answers about the form and its state. */
let form: { status: number; body: object };
let state: object;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-form-page-'));
  mkdirSync(path.join(folder, 'form-page/assets'), { recursive: true });
  writeFileSync(path.join(folder, 'index.html'), 'console');
  writeFileSync(path.join(folder, 'form-page/index.html'), template);
  writeFileSync(path.join(folder, 'form-page/embed.js'), 'embed();');
  writeFileSync(path.join(folder, 'form-page/assets/index-B1c2D3e4.js'), 'start();');
  gateway = await startHarness({
    settings: { PathPrefix: '/at' },
    console: { environment: {}, consoleFolder: folder },
  });
  gateway.services.Submissions.handler = (request, response) => {
    const { status, body } = request.url!.endsWith('/state') ? { status: 200, body: state } : form;
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
});
afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  const title = { default: '</script><b>Cities', de: 'Städte' };
  const elements = [
    { type: 'panel', elements: [{ type: 'text', name: 'a', title: 'First', isRequired: true }] },
    { type: 'radiogroup', name: 'b', choices: ['x', { value: 'y', text: { default: 'Why', de: 'Warum' } }] },
    { type: 'text', name: 'hidden', visibleIf: '{a} = 1' },
  ];
  const definition = { title, pages: [{ elements }, { elements: [{ type: 'text', name: 'later' }] }] };
  form = { status: 200, body: { id: '7', name: 'Form', description: null, definition, page: null } };
  state = { state: 'none', reason: null, opensAt: null, closesAt: null };
});

const read = async (at: string, headers: Record<string, string> = {}) => {
  const response = await fetch(gateway.url + at, { headers });
  return { response, text: await response.text() };
};

it('has the first questions in the language of the browser, else that of the form, and inert data', async () => {
  const { response, text } = await read('/f/7', { 'accept-language': 'fr, de-AT;q=0.8, en;q=0.5' });
  expect(response.status).toBe(200);
  expect(text).toContain('<html lang="de">');
  expect(text).toContain('<h1>Städte</h1>');
  expect(text).toMatch(/First <span.*<li>x<\/li><li>Warum<\/li>/);
  expect(text).not.toMatch(/<h3>(hidden|later)/);
  const { text: asked } = await read('/f/7?lang=en', { 'accept-language': 'de' });
  expect(asked).toContain('<h1>&#60;/script&#62;&#60;b&#62;Cities</h1>');
  expect(asked.match(/<\/script>/g)).toHaveLength(2);
  expect((await read('/f/7', { 'accept-language': 'fr' })).text).toContain('<html lang="en">');
});

it.each([
  ['gzip', 'gzip'],
  ['br, gzip;q=0.5', 'gzip'],
  ['br', null],
  ['gzip;q=0', null],
])('is compressed by gzip only for clients that accept it: %s', async (accepted, encoding) => {
  const { response, text } = await read('/f/7', { 'accept-encoding': accepted });
  expect(response.headers.get('content-encoding')).toBe(encoding);
  expect(text).toContain('<h1>');
});

it('has the logo and the colour of the form, and may be embedded by its origins only', async () => {
  const logo = 'data:image/png;base64,AAAA';
  const page = {
    logo,
    accent: '#ffee00',
    scheme: 'dark',
    frameAncestors: ['https://a.example', 'http://localhost:1'],
  };
  form = { ...form, body: { ...form.body, page } };
  const { response, text } = await read('/f/7');
  const style = /<style>(.*)<\/style>/.exec(text)![1]!;
  expect(style).toMatch(/color-scheme:dark.*light-dark\(#[0-9a-f]{6},#ffee00\)/);
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = response.headers.get('content-security-policy');
  expect(policy).toContain(`style-src 'self' 'sha256-${hash}';`);
  expect(policy).toContain('frame-ancestors https://a.example http://localhost:1;');
  expect(response.headers.get('x-frame-options')).toBeNull();
  expect(text).toContain(`<img src="${logo}"`);
});

it('serves the script that embeds a page to pages of other origins', async () => {
  const { response, text } = await read('/f/embed.js');
  expect([response.status, text]).toEqual([200, 'embed();']);
  expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(response.headers.get('cache-control')).toBe('public, no-cache');
});

it('finds a form by its slug, and its state by its id', async () => {
  const { handler } = gateway.services.Submissions;
  const paths: unknown[] = [];
  gateway.services.Submissions.handler = (request, response) => {
    paths.push(request.url);
    handler(request, response);
  };
  expect((await read('/f/my-form')).response.status).toBe(200);
  expect(paths).toEqual(['/api/public/forms/my-form', '/api/public/forms/7/state']);
  gateway.services.Submissions.handler = handler;
});

it('is not stored, permits no inline script or style, and loads its files below the path prefix', async () => {
  const { response, text } = await read('/f/7/');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
      "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
      "require-trusted-types-for 'script'; trusted-types default canvass-clean",
  );
  expect(text).toContain(`src="/at${scriptPath}"`);
  const script = await read(scriptPath);
  expect(script.text).toBe('start();');
  expect(script.response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await read('/f/assets/gone.js')).response.status).toBe(404);
  expect((await read('/console/form-page/index.html')).text).toBe('console');
});

it.each([
  [404, 'not_found', 404, 'There is no such form.'],
  [400, 'validation_failed', 404, 'There is no such form.'],
  [409, 'form_disabled', 409, 'does not accept answers'],
  [401, 'authentication_required', 403, 'for people who have signed in'],
  [403, 'permission_denied', 403, 'Your account may not answer'],
  [500, 'internal_error', 503, 'cannot be shown at the moment'],
])('makes of a %i %s of the service a page with %i', async (status, errorCode, shown, text) => {
  form = { status, body: { errorCode } };
  const found = await read('/f/7');
  expect([found.response.status, found.response.headers.get('content-type')]).toEqual([
    shown,
    'text/html; charset=utf-8',
  ]);
  expect(found.text).toContain(text);
});

it('says why the form takes no answers, with the time', async () => {
  const opensAt = '2026-12-01T09:00:00.000Z';
  state = { state: 'closed', reason: 'form_not_open', opensAt, closesAt: null };
  expect((await read('/f/7')).text).toMatch(
    /not open yet. It opens on <time datetime="2026-12-01T09:00:00.000Z">/,
  );
  state = { state: 'done', reason: null, opensAt: null, closesAt: null };
  expect((await read('/f/7')).text).toContain('already answered');
});

it('answers HEAD without a body, refuses other methods, and sends the bearer token of the browser on only', async () => {
  const head = await fetch(`${gateway.url}/f/7`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await fetch(`${gateway.url}/f/7`, { method: 'POST' })).status).toBe(405);
  let seen: NodeJS.Dict<string | string[]> = {};
  const { handler } = gateway.services.Submissions;
  gateway.services.Submissions.handler = (request, response) => {
    seen = request.headers;
    handler(request, response);
  };
  await read('/f/7', { authorization: 'Bearer x', cookie: 'a=b', 'x-forwarded-for': '9.9.9.9' });
  expect(seen).toMatchObject({ authorization: 'Bearer x' });
  expect(seen).not.toHaveProperty('cookie');
  expect(seen['x-forwarded-for']).not.toContain('9.9.9.9');
});

it('says in words that too many pages were opened', async () => {
  const off = { PerAccount: 0, PerFormToken: 0, AnonymousCreates: 0, AnonymousSaves: 0 };
  const limited = await startHarness({
    settings: { RateLimits: { PerAddress: 1, WindowSeconds: 60, ...off } },
    console: { environment: {}, consoleFolder: folder },
  });
  try {
    limited.services.Submissions.handler = gateway.services.Submissions.handler;
    await fetch(`${limited.url}/f/7`);
    const refused = await fetch(`${limited.url}/f/7`, { headers: { 'accept-language': 'de' } });
    expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.text()).toContain('zu viele Seiten');
  } finally {
    await limited.close();
  }
});
