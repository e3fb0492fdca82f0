import { eventually } from '@canvass/testing';
import { build } from 'esbuild';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folder = mkdtempSync(path.join(tmpdir(), 'process-'));
const script = path.join(folder, 'main.js');
const children: ChildProcess[] = [];

beforeAll(() =>
  build({
    entryPoints: [path.join(__dirname, 'fixtures/process.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    target: 'node20',
    tsconfig: path.join(__dirname, '../../../tsconfig.base.json'),
    logLevel: 'warning',
  }),
);
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));
afterAll(() => rmSync(folder, { recursive: true }));

interface Run {
  child: ChildProcess;
  out: () => string;
  err: () => string;
  exit: Promise<number | null>;
  url: () => Promise<string>;
}

function run(env: Record<string, string> = {}, argv: string[] = []): Run {
  const child = spawn(process.execPath, [script, ...argv], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      Service__Hosting__Host: '127.0.0.1',
      Service__Hosting__DrainSeconds: '0',
      ...env,
    },
  });
  children.push(child);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  return {
    child,
    out: () => out,
    err: () => err,
    exit: new Promise((resolve) => child.on('close', resolve)),
    url: () =>
      eventually(() => {
        const port = /"port":(\d+)[^]*"ready"/.exec(out)?.[1];
        if (port === undefined) throw new Error(`not ready: ${out} ${err}`);
        return `http://127.0.0.1:${port}`;
      }),
  };
}

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s: the request in flight is answered, the process exits with 0',
  async (signal) => {
    const service = run();
    const url = await service.url();
    const answer = fetch(`${url}/api/slow?seconds=4`); // so long that the signal comes before its answer
    await eventually(() => service.out().includes('arrived'));
    service.child.kill(signal);
    service.child.kill(signal); // a terminal and a supervisor both send one
    expect(await (await answer).json()).toBe('done');
    expect(await service.exit).toBe(0);
    expect(lines(service.out()).map(({ message }) => message)).toEqual([
      'listening',
      'ready',
      'arrived',
      'stopping',
      'request',
      'stopped',
    ]);
    expect(service.err()).toBe('');
  },
);

test('a request that takes longer than ShutdownSeconds does not keep the process alive', async () => {
  const service = run({ Service__Hosting__ShutdownSeconds: '1' });
  const url = await service.url();
  const hanging = fetch(`${url}/api/slow?seconds=60`).catch(() => undefined);
  await eventually(() => service.out().includes('arrived'));
  service.child.kill('SIGTERM');
  expect(await service.exit).toBe(1);
  await hanging;
});

test('a configuration with faults: one sentence each on stderr, exit 1, nothing listens', async () => {
  const service = run({ Service__Hosting__Port: 'x', Service__Typo: '1' });
  expect(await service.exit).toBe(1);
  expect(service.err()).toBe(
    'The configuration is not valid:\n  Service:Hosting:Port must be a number.\n  Service:Typo is not a known key.\n',
  );
  expect(service.out()).toBe('');
});

test('--print-config prints the effective values with secrets masked and exits with 0', async () => {
  const service = run({ Service__Secret: 'hunter2', Service__Hosting__Port: '81' }, ['--print-config']);
  expect(await service.exit).toBe(0);
  expect(JSON.parse(service.out())).toMatchObject({ Service: { Hosting: { Port: 81 }, Secret: '********' } });
  expect(service.out()).not.toContain('hunter2');
});

test('a start that fails prints one sentence and exits with 1', async () => {
  const service = run({ Service__Trouble: 'start' });
  expect(await service.exit).toBe(1);
  expect(service.err()).toBe('fixture cannot start: The database has another version.\n');
});

test('a port in use prints one sentence and exits with 1', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  const service = run({ Service__Hosting__Port: String(port) });
  expect(await service.exit).toBe(1);
  expect(service.err()).toContain(
    `Cannot listen on 127.0.0.1:${port} (Service:Hosting:Port): another process listens there.`,
  );
  other.close();
});

test.each([
  ['rejection', 'unhandled rejection'],
  ['exception', 'uncaught exception'],
])('an unhandled %s is logged and ends the process with 1', async (trouble, message) => {
  const service = run({ Service__Trouble: trouble });
  expect(await service.exit).toBe(1);
  expect(lines(service.out()).at(-1)).toMatchObject({
    level: 'error',
    message,
    error: { message: 'nobody caught this' },
  });
});

test('a process whose output nobody reads any more goes on', async () => {
  const service = run();
  const url = await service.url();
  service.child.stdout?.destroy();
  for (let request = 0; request < 3; request += 1) expect((await fetch(`${url}/none`)).status).toBe(404);
  service.child.kill('SIGTERM');
  expect(await service.exit).toBe(0);
});
