import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { HealthReport } from '../src';
import { fixtureProcesses } from './fixture-processes';

/** `Service:Health` of a bundled process, whose modules only its configuration names. */
const run = fixtureProcesses();
const folder = mkdtempSync(path.join(tmpdir(), 'extensions-'));
afterAll(() => rmSync(folder, { recursive: true }));

function module(name: string, code: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, code);
  return file;
}

const check = (name: string, more = '') =>
  `{ name: '${name}', tags: ['ready'], check: () => ({ status: 'Degraded' }), ${more} }`;

/** A process with these checks, and a way to read the entries of its report. */
async function withChecks(...files: string[]) {
  const service = run({ Service__Health__Checks: JSON.stringify(files) });
  const url = await service.url();
  const entries = async () =>
    ((await (await fetch(`${url}/health/detail`)).json()) as HealthReport).checks.map(
      ({ name, status, description }) => ({ name, status, description }),
    );
  return { service, url, entries };
}

describe('Service:Health:Checks', () => {
  module('esm/package.json', '{ "type": "module" }');
  const formats: [string, string][] = [
    [module('a.cjs', `exports.healthCheck = ${check('custom')};`), 'CommonJS'],
    [
      module('b.cjs', `module.exports = (() => ({ healthCheck: ${check('custom')} }))();`),
      'computed CommonJS',
    ],
    [module('c.mjs', `export const healthCheck = ${check('custom')};`), 'an ES module'],
    [module('d.mjs', `export default { healthCheck: ${check('custom')} };`), 'an ES module with a default'],
    [
      module('e.mjs', `await new Promise(setImmediate); export const healthCheck = ${check('custom')};`),
      'an ES module that awaits',
    ],
    [module('esm/f.js', `export const healthCheck = ${check('custom')};`), 'an ES module by its package'],
    [
      module(
        'g.cjs',
        `exports.healthCheck = new (class { name = 'custom'; tags = ['ready']; check() { return { status: this.status }; } status = 'Degraded'; })();`,
      ),
      'an object of a class',
    ],
  ];

  test.each(formats)('%s is loaded: %s', async (file) => {
    const { service, url, entries } = await withChecks(file);
    expect(await entries()).toContainEqual({ name: 'custom', status: 'Degraded', description: null });
    expect(await (await fetch(`${url}/ready`)).text()).toBe('Degraded');
    expect(await (await fetch(`${url}/alive`)).text()).toBe('Healthy');
    expect(service.err()).toBe('');
  });

  test('a check that throws, hangs or returns a wrong result is Unhealthy, and the other checks are not affected', async () => {
    const bad = (name: string, body: string) =>
      module(`${name}.cjs`, `exports.healthCheck = { name: '${name}', tags: [], check: ${body} };`);
    const { entries } = await withChecks(
      bad('throws', `() => { throw new Error('with a secret'); }`),
      bad('rejects', `async () => { throw undefined; }`),
      bad('hangs', `() => new Promise(() => undefined)`),
      bad('nonsense', `() => 'fine'`),
    );
    const unhealthy = (name: string, description: string) => ({ name, status: 'Unhealthy', description });
    expect(await entries()).toEqual([
      { name: 'service-self', status: 'Healthy', description: null },
      { name: 'self-ready', status: 'Healthy', description: null },
      unhealthy('throws', 'The check failed.'),
      unhealthy('rejects', 'The check failed.'),
      unhealthy('hangs', 'The check did not answer within 800 ms.'),
      unhealthy('nonsense', 'The check failed.'),
    ]);
  });

  const wrong: [string, string, RegExp][] = [
    ['is missing', path.join(folder, 'missing.mjs'), /cannot be loaded: Cannot find module/],
    ['throws', module('h.cjs', `throw new Error('no licence');`), /cannot be loaded: no licence$/],
    ['is no JavaScript', module('i.mjs', 'export const ='), /cannot be loaded: Unexpected/],
    ['exports something else', module('j.mjs', 'export const check = 1;'), /exports no healthCheck with/],
    [
      'has no tags',
      module('k.mjs', `export const healthCheck = { name: 'x', check() {} };`),
      /exports no healthCheck/,
    ],
    [
      'has a bad timeoutMs',
      module('l.mjs', `export const healthCheck = ${check('x', 'timeoutMs: -1')};`),
      /timeoutMs/,
    ],
    [
      'has a bad failureStatus',
      module('m.mjs', `export const healthCheck = ${check('x', "failureStatus: 'Healthy'")};`),
      /failureStatus/,
    ],
    [
      'takes a name that is in use',
      module('n.mjs', `export const healthCheck = ${check('self-ready')};`),
      /already/,
    ],
  ];
  test.each(wrong)(
    'a module that %s fails the start with a sentence that names the key',
    async (_, file, says) => {
      const service = run({ Service__Health__Checks: JSON.stringify([file]) });
      expect(await service.exit).toBe(1);
      const [line, ...more] = service.err().trimEnd().split('\n');
      expect(line).toMatch(/^fixture cannot start: Service:Health:Checks:0: /);
      expect(line).toMatch(says);
      expect(more).toEqual([]);
    },
  );

  test('a module that never finishes loading fails the start', async () => {
    const file = module(
      'o.mjs',
      `await new Promise(() => undefined); export const healthCheck = ${check('x')};`,
    );
    const service = run({ Service__Health__Checks: JSON.stringify([file]) });
    expect(await service.exit).toBe(1);
    expect(service.err()).toMatch(
      /^fixture cannot start: Service:Health:Checks:0: .* did not load within 10 s/,
    );
  });
});

describe('Service:Health:Writer', () => {
  test('writes the overall health and both probes, not the report, the page and the status code', async () => {
    const service = run({
      Service__Health__Writer: module(
        'w.mjs',
        `export const healthResponseWriter = ({ status, checks }, { service, probe }) =>
          ({ contentType: 'text/csv', body: [service, probe, status, checks.length].join() });`,
      ),
    });
    const url = await service.url();
    const answer = await fetch(`${url}/health`);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'text/csv',
      'fixture,overall,Healthy,2',
    ]);
    expect(await (await fetch(`${url}/alive`)).text()).toBe('fixture,liveness,Healthy,1');
    expect(await (await fetch(`${url}/ready`)).text()).toBe('fixture,readiness,Healthy,1');
    expect((await (await fetch(`${url}/health/detail`)).json()) as object).toMatchObject({
      status: 'Healthy',
    });
    expect(await (await fetch(`${url}/health/ui`)).text()).toContain('<h1>fixture</h1>');
  });

  const failing: [string, string][] = [
    ['throws', `() => { throw new Error('no template'); }`],
    ['gives nothing', `() => undefined`],
    ['gives a body that is no text', `() => ({ contentType: 'text/plain', body: 1 })`],
    ['gives a content type that is no header', String.raw`() => ({ contentType: 'a\nb', body: '' })`],
    ['is async and fails', `async () => { throw new Error('late'); }`],
  ];
  test.each(failing)(
    'a writer that %s is replaced by the default writer, with one log line',
    async (_, code) => {
      const file = module('bad.mjs', `export const healthResponseWriter = ${code};`);
      const service = run({ Service__Health__Writer: file });
      const url = await service.url();
      for (const probe of ['/health', '/alive', '/ready']) {
        const answer = await fetch(url + probe);
        expect([answer.status, await answer.text()]).toEqual([200, 'Healthy']);
      }
      service.child.kill('SIGTERM');
      expect(await service.exit).toBe(0);
      const logged = service.out().match(/.*the health response writer failed.*/g);
      expect(logged).toHaveLength(1);
      expect(JSON.parse(logged![0])).toMatchObject({ level: 'error', module: file });
    },
  );

  test('a module without a writer fails the start with a sentence that names the key', async () => {
    const file = module('x.mjs', 'export const writer = 1;');
    const service = run({ Service__Health__Writer: file });
    expect(await service.exit).toBe(1);
    expect(service.err()).toBe(
      `fixture cannot start: Service:Health:Writer: ${file} exports no healthResponseWriter function.\n`,
    );
  });
});
