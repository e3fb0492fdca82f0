import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@canvass/testing';

const checkout = path.join(__dirname, '../../..');
const example = (name: string) => path.join(checkout, 'docs/examples/extensions', name);

it('the gateway, too, takes a health check and a response writer by configuration', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gateway-'));
  // Below the checkout, where the packages are.
  const bundle = path.join(checkout, 'dist/test', path.basename(folder), 'main.js');
  execFileSync(process.execPath, ['build/build-app.mjs', 'apps/gateway', bundle], { cwd: checkout });
  const unused = 'http://127.0.0.1:9';
  const child = spawn(process.execPath, [bundle], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      Service__Hosting__Host: '127.0.0.1',
      Service__Hosting__Port: '0',
      Service__Hosting__InternalPort: '0',
      Service__Hosting__DrainSeconds: '0',
      Service__Gateway__Services__Submissions: unused,
      Service__Gateway__Services__DataLists: unused,
      Service__Gateway__Services__WebHookRelay: unused,
      Service__Health__Checks: JSON.stringify([example('directory-check.mjs')]),
      Service__Health__Writer: example('health-json-writer.cjs'),
      DIRECTORY_URL: unused,
    },
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (out += String(chunk)));
    const port = await eventually(() => {
      const found = /"port":(\d+)[^]*"message":"ready"/.exec(out)?.[1];
      if (found === undefined) throw new Error(`not ready: ${out}`);
      return found;
    });
    const answer = await fetch(`http://127.0.0.1:${port}/health`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'application/health+json']);
    expect(await answer.json()).toMatchObject({
      serviceId: 'gateway',
      checks: { routing: [{ status: 'pass' }], 'staff-directory': [{ status: 'warn' }] },
    });
  } finally {
    child.kill('SIGTERM');
    await ended;
    for (const made of [folder, path.dirname(bundle)]) rmSync(made, { recursive: true });
  }
});
