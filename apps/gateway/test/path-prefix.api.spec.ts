import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { configSchema, serviceNames } from '../src/config';
import { startHarness, type Harness } from './harness';

/** A gateway that a proxy serves at a path. The proxy removes it, as these tests do. */

const prefix = '/forms/canvass';
let folder: string;
let gateway: Harness;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-prefix-'));
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'index.html'), '<script src="/console/assets/index-B1c2D3e4.js"></script>');
  gateway = await startHarness({
    settings: { PathPrefix: prefix },
    console: { environment: {}, consoleFolder: folder },
  });
});
afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true });
});

it('adds the path to the addresses in the pages of the console, whichever page is asked for', async () => {
  for (const at of ['/console', '/console/index.html', '/console/forms/7/submissions']) {
    const reply = await fetch(gateway.url + at, { headers: { 'accept-encoding': 'br, gzip' } });
    expect([at, await reply.text()]).toEqual([
      at,
      `<script src="${prefix}/console/assets/index-B1c2D3e4.js"></script>`,
    ]);
  }
  const home = await fetch(gateway.url, { redirect: 'manual' });
  expect(home.headers.get('location')).toBe(`${prefix}/console`);
});

it('adds the path to Location and to the path of cookies, in responses of services', async () => {
  const answers: Record<string, [string, string][]> = {
    '/api/forms/1': [['Location', '/api/forms/1']],
    '/api/forms/2': [['Location', 'https://files.example.org/2']],
    '/api/forms/3': [['Location', '//files.example.org/3']],
    '/api/forms/4': [
      ['Set-Cookie', 'a=1; Path=/api/auth/session; HttpOnly'],
      ['Set-Cookie', 'b=/; Max-Age=0'],
    ],
  };
  gateway.services.Submissions.handler = (request, response) =>
    response.writeHead(200, answers[request.url!]!.flat()).end();
  const headersOf = async (at: string) => (await fetch(gateway.url + at)).headers;
  const locations = ['/api/forms/1', '/api/forms/2', '/api/forms/3'].map(async (at) =>
    (await headersOf(at)).get('location'),
  );
  expect(await Promise.all(locations)).toEqual([
    `${prefix}/api/forms/1`,
    'https://files.example.org/2',
    '//files.example.org/3',
  ]);
  expect((await headersOf('/api/forms/4')).getSetCookie()).toEqual([
    `a=1; Path=${prefix}/api/auth/session; HttpOnly`,
    'b=/; Max-Age=0',
  ]);
});

it.each(['openapi', 'openapi-webhooks'])('names the path as the server of the document %s', async (name) => {
  const document = (await (await fetch(`${gateway.url}/api/${name}.json`)).json()) as {
    servers: { url: string }[];
  };
  expect(document.servers.map(({ url }) => url)).toEqual([prefix]);
});

it.each(['forms', '/', '/forms/', '//example.org', '/a/../b', '/a b', '/a"b', '/a?b'])(
  'does not start with %s as the path',
  (PathPrefix) => {
    const services = Object.fromEntries(serviceNames.map((name) => [name, 'http://127.0.0.1:1']));
    const { error } = configSchema.validate({
      Service: { Hosting: {}, Logging: {}, Auth: {}, Gateway: { Services: services, PathPrefix } },
    });
    expect(error?.details.map(({ path: at }) => at.join(':'))).toEqual(['Service:Gateway:PathPrefix']);
  },
);
