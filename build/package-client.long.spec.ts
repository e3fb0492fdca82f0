import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { packageClient } from './package-client';

const root = path.join(__dirname, '..');
const dir = mkdtempSync(path.join(os.tmpdir(), 'canvass-client-'));
afterAll(() => rmSync(dir, { recursive: true }));

function run(command: string, args: string[], cwd = dir): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  return stdout;
}

it('is a package that a program and a compiler can use', async () => {
  const built = path.join(dir, 'built');
  await packageClient(built);
  const [{ filename, files }] = JSON.parse(
    run('npm', ['pack', '--json', '--silent', '--pack-destination', dir], built),
  ) as [{ filename: string; files: { path: string }[] }];
  expect(files.map((file) => file.path)).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'index.js',
      'package.json',
      'src/index.d.ts',
      'dist/api.d.mts',
    ]),
  );

  // As npm install would put it, with its dependencies from this checkout.
  const installed = path.join(dir, 'node_modules/@canvass/client');
  mkdirSync(installed, { recursive: true });
  run('tar', ['xzf', path.join(dir, filename), '--strip-components=1', '-C', installed]);
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    symlinkSync(path.join(root, 'node_modules', name), path.join(dir, 'node_modules', name));
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  expect(JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'))).toMatchObject({ version });

  writeFileSync(path.join(dir, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    path.join(dir, 'use.ts'),
    `import { createCanvass, dataOf, itemsOf, verifyWebhook } from '@canvass/client';
     const canvass = createCanvass({ baseUrl: 'http://127.0.0.1:1', retry: false });
     export const nameOf = async () => (await dataOf(canvass.GET('/api/forms/{formId}', { params: { path: { formId: '1' } } }))).name.length;
     // @ts-expect-error a path that does not exist
     void (() => canvass.GET('/api/nothing'));
     const message = await verifyWebhook({ headers: {}, body: '', secret: 'whsec_YQ==' }).catch((error: Error) => error.name);
     if (typeof message !== 'string' && message.EventName === 'form_created') message.Payload.isPublic satisfies boolean;
     console.log(message, typeof itemsOf);`,
  );
  const options = [
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--strict',
    '--lib',
    'es2023,dom,dom.iterable',
  ];
  run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), ...options, 'use.ts']);
  expect(run(process.execPath, ['use.js'])).toBe('WebhookVerificationError function\n');
});
