import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { consoleVariables } from '../src/config';
import { rawRequest, startHarness, type Harness } from './harness';

const page = '<!doctype html><title>Canvass</title>';
const script = `console.log(${JSON.stringify('a'.repeat(500))});`;
const scriptPath = '/console/assets/index-B1c2D3e4.js';
const previewPath = '/console/preview/index.html';

let folder: string;
let gateway: Harness;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-console-'));
  mkdirSync(path.join(folder, 'assets'));
  mkdirSync(path.join(folder, 'preview/assets'), { recursive: true });
  const write = (name: string, content: string | Buffer) => writeFileSync(path.join(folder, name), content);
  write('index.html', page);
  write('assets/index-B1c2D3e4.js', script);
  write('assets/index-B1c2D3e4.js.br', brotliCompressSync(script));
  write('assets/index-B1c2D3e4.js.gz', gzipSync(script));
  write('preview/index.html', page);
  write('preview/assets/index-F5g6H7i8.js', script);
  write('secret.json', '{}');
  const environment = {
    NEXT_PUBLIC_SUBMITTER_GRID_PROFILE_FIELDS: 'department, SubmitterDisplayId,name,department',
    NEXT_PUBLIC_SUBMITTER_PRIMARY_FILTER_LABEL: 'Customer number',
  };
  const settings = { Cors: { Origins: ['https://forms.example.org'] } };
  gateway = await startHarness({ settings, console: { environment, consoleFolder: folder } });
});
afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true });
});

/** A GET that does not decode what it receives. */
function raw(at: string, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; bytes: Buffer }>(
    (resolve, reject) => {
      request(`${gateway.url}${at}`, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            bytes: Buffer.concat(chunks),
          }),
        );
      })
        .on('error', reject)
        .end();
    },
  );
}

describe('/console', () => {
  it.each(['/console', '/console/', '/console/forms/7/submissions?filter=status:new', '/console/index.html'])(
    '%s is the page, which a browser asks for again',
    async (at) => {
      const reply = await fetch(`${gateway.url}${at}`);
      expect([reply.status, await reply.text()]).toEqual([200, page]);
      expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(reply.headers.get('cache-control')).toBe('public, no-cache');
      const again = await fetch(`${gateway.url}${at}`, {
        headers: { 'if-none-match': reply.headers.get('etag')! },
      });
      expect(again.status).toBe(304);
    },
  );

  it('has a policy that permits its own scripts and styles only, with Trusted Types', async () => {
    const { headers } = await fetch(`${gateway.url}/console`);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
        "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types canvass-worker",
    );
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('gives the preview an origin of its own, without network, inside the console only', async () => {
    const { headers } = await fetch(gateway.url + previewPath);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; connect-src 'none'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts; " +
        "require-trusted-types-for 'script'; trusted-types default canvass-clean",
    );
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(headers.get('cache-control')).toBe('public, no-cache');
  });

  it('lets an opaque origin read the files of the preview, and no others', async () => {
    const read = (at: string) => fetch(gateway.url + at, { headers: { origin: 'null' } });
    const { headers } = await read('/console/preview/assets/index-F5g6H7i8.js');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await read(scriptPath)).headers.get('access-control-allow-origin')).toBeNull();
    expect((await read('/console/preview/assets/index-old.js')).status).toBe(404);
  });

  it('serves files with the hash in their name for ever, as the build compressed them', async () => {
    const plain = await raw(scriptPath, {});
    expect([plain.status, plain.bytes.toString()]).toEqual([200, script]);
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    const br = await raw(scriptPath, { 'accept-encoding': 'gzip, deflate, br, zstd' });
    expect(br.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Origin, Accept-Encoding' });
    expect(brotliDecompressSync(br.bytes).toString()).toBe(script);
    const gzip = await raw(scriptPath, { 'accept-encoding': 'br;q=0, gzip' });
    expect(gzip.headers).toMatchObject({ 'content-encoding': 'gzip' });
    expect(gunzipSync(gzip.bytes).toString()).toBe(script);
    expect(new Set([plain, br, gzip].map(({ headers }) => headers['etag'])).size).toBe(3);
  });

  it('serves the plain file where the build has no compressed one', async () => {
    const reply = await raw('/console', { 'accept-encoding': 'br' });
    expect(reply.bytes.toString()).toBe(page);
    expect(reply.headers).not.toHaveProperty('content-encoding');
  });

  it.each([
    ['/console/assets/index-old.js', 404],
    ['/console/../secret.json', 400],
    ['/console/%2e%2e/secret.json', 400],
    ['/consoles', 404],
  ])('%s is no file: %i', async (at, status) => {
    const head = `GET ${at} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    expect((await rawRequest(gateway.port, head)).status).toBe(status);
  });

  it('serves a file that no browser needs as the page', async () => {
    expect((await raw('/console/secret.json', {})).bytes.toString()).toBe(page);
  });

  it('answers HEAD without a body, lists its methods, and refuses others', async () => {
    const head = await fetch(`${gateway.url}/console`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const options = await fetch(`${gateway.url}/console`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    const post = await fetch(`${gateway.url}/console`, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('is where / leads', async () => {
    const reply = await fetch(gateway.url, { redirect: 'manual' });
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/console']);
    expect((await fetch(gateway.url, { method: 'POST' })).status).toBe(405);
  });

  it('is not found in a gateway without it, and neither is /', async () => {
    const other = await startHarness();
    try {
      for (const at of ['/', '/console', scriptPath])
        expect([at, (await fetch(`${other.url}${at}`)).status]).toEqual([at, 404]);
    } finally {
      await other.close();
    }
  });
});

describe('/api/console/configuration', () => {
  const read = async (url: string) => (await fetch(`${url}/api/console/configuration`)).json();

  it('has the variables, without the display id, which is a column of its own', async () => {
    expect(await read(gateway.url)).toMatchObject({
      submitterGridProfileFields: ['department', 'name'],
      submitterPrimaryFilterLabel: 'Customer number',
    });
  });

  it('has the settings that apply without any', async () => {
    const other = await startHarness();
    try {
      expect(await read(other.url)).toEqual({
        submitterGridProfileFields: [],
        submitterPrimaryFilterLabel: null,
        storedProfileFields: [],
        hasOwnSignIn: true,
        signInProviders: [],
        limits: { importJsonBytes: 64 * 2 ** 20, importRowsBytes: 2 ** 30 },
        healthDetailPath: '/health/detail',
        version: (
          JSON.parse(readFileSync(path.join(__dirname, '../../../package.json'), 'utf8')) as {
            version: string;
          }
        ).version,
      });
    } finally {
      await other.close();
    }
  });

  it('has what the services store and accept, never more than the gateway lets through', async () => {
    const other = await startHarness({
      service: {
        Submitter: { ProfileSnapshotFields: ['department'], IntegrationsMayName: [] },
        Limits: { MaxJsonImportBytes: 1000, MaxStreamedImportBytes: 2 ** 40 },
      },
    });
    try {
      expect(await read(other.url)).toMatchObject({
        storedProfileFields: ['department'],
        limits: { importJsonBytes: 1000, importRowsBytes: 2 ** 30 },
      });
    } finally {
      await other.close();
    }
  });

  it('takes the fields as JSON, too, and names the variable if that is no list of names', () => {
    const fields = (text: string) =>
      consoleVariables({ NEXT_PUBLIC_SUBMITTER_GRID_PROFILE_FIELDS: text }).submitterGridProfileFields;
    expect(fields('["cost center, old", "name"]')).toEqual(['cost center, old', 'name']);
    expect(fields(' name ,, ')).toEqual(['name']);
    expect(() => fields('[1')).toThrow('NEXT_PUBLIC_SUBMITTER_GRID_PROFILE_FIELDS');
    expect(() => fields('[{"a":1}]')).toThrow('NEXT_PUBLIC_SUBMITTER_GRID_PROFILE_FIELDS');
  });
});
