import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { login } from '@canvass/testing';
import { stackFile } from '../src/stack';

/** A client that a generator makes of the served document, with the generator's own defaults. */
const modules = path.join(__dirname, '../../../node_modules');
const dir = mkdtempSync(path.join(os.tmpdir(), 'canvass-generated-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** Creates a form, submits three times, and lists by key. */
const program = `
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

const [baseUrl = '', token = ''] = process.argv.slice(2);
const staff = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } });
const anonymous = createClient<paths>({ baseUrl });

const form = await staff.POST('/api/forms', { body: { name: 'Generated client' } });
if (form.data === undefined) throw new Error(form.error.title);
const path = { formId: form.data.id };
const created: string[] = [];
for (const n of [1, 2, 3]) {
  const body = { isComplete: true, jsonData: JSON.stringify({ n }) };
  const answer = await anonymous.POST('/api/forms/{formId}/submissions', { params: { path }, body });
  if (answer.data === undefined) throw new Error(answer.error.title);
  created.unshift(answer.data.id);
}
const listed: string[] = [];
for (let after: string | null | undefined = undefined; after !== null; ) {
  const query: { limit: number; after?: string } = { limit: 2, ...(after !== undefined && { after }) };
  const page = await staff.GET('/api/forms/{formId}/submissions', { params: { path, query } });
  if (page.data === undefined) throw new Error(page.error.title);
  for (const item of page.data.items) if (item.id !== undefined) listed.push(item.id);
  after = page.data.next;
}
const missing = await staff.GET('/api/forms/{formId}', { params: { path: { formId: '1' } } });
if (missing.error?.errorCode !== 'not_found') throw new Error('a problem without its code');
const endpoints = [{ Url: 'https://hooks.example.org', Authentication: { Type: 'None' as const } }];
const saved = await staff.PUT('/api/forms/{formId}/webhook-settings', {
  params: { path },
  body: { settings: { Events: { FormUpdated: { IsEnabled: false, WebHookEndpoints: endpoints } } } },
});
const [first] = saved.data?.settings?.Events?.FormUpdated?.WebHookEndpoints ?? [];
console.log(JSON.stringify({ created, listed, type: first?.Authentication?.Type }));
`;

function run(bin: string, ...args: string[]): string {
  const file = path.join(modules, bin);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    cwd: dir,
    encoding: 'utf8',
  });
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  return stdout;
}

it('is made by openapi-typescript, and creates a form, submits and lists by key', async () => {
  const { gatewayUrl, demo } = await stackFile();
  const document = await fetch(`${gatewayUrl}/api/openapi.json`);
  writeFileSync(path.join(dir, 'openapi.json'), await document.text());
  run('openapi-typescript/bin/cli.js', 'openapi.json', '--output', 'api.d.ts');

  mkdirSync(path.join(dir, 'node_modules'));
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types'])
    symlinkSync(path.join(modules, name), path.join(dir, 'node_modules', name));
  writeFileSync(path.join(dir, 'package.json'), '{ "type": "module" }');
  writeFileSync(path.join(dir, 'use.ts'), program);
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', '--types', 'node'];
  run('typescript/bin/tsc', ...strict, '--target', 'es2022', '--module', 'nodenext', 'use.ts');

  const token = await login(gatewayUrl, demo.adminEmail, demo.adminPassword);
  const { stdout, stderr } = spawnSync(process.execPath, ['use.js', gatewayUrl, token], {
    cwd: dir,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const { created, listed, type } = JSON.parse(stdout) as {
    created: string[];
    listed: string[];
    type: string;
  };
  expect(created).toHaveLength(3);
  expect(listed).toEqual(created);
  expect(type).toBe('None');
});
