import { eventually } from '@canvass/testing';
import { createServer, type AddressInfo } from 'node:net';
import { fixtureProcesses } from './fixture-processes';

const run = fixtureProcesses();

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

test('a configuration with faults prints one sentence per fault on stderr and exits with 1 without listening', async () => {
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

test('--help and an unknown command need no configuration', async () => {
  const help = run({ Service__Typo: '1' }, ['--help']);
  expect(await help.exit).toBe(0);
  expect(help.out()).toMatch(/^node main\.js \[options\] +runs fixture until SIGTERM\n/);
  const unknown = run({ Service__Typo: '1' }, ['mitigate']);
  expect(await unknown.exit).toBe(2);
  expect(unknown.err()).toBe('fixture: unknown command "mitigate"; commands: none.\n');
});

test('a failed start prints one sentence and exits with 1', async () => {
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
    `Cannot listen on 127.0.0.1:${port} (Service:Hosting:Port): another process uses this port.`,
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
    error: { message: 'not caught' },
  });
});

test('a process continues after the reader of its output has closed', async () => {
  const service = run();
  const url = await service.url();
  service.child.stdout?.destroy();
  for (let request = 0; request < 3; request += 1) expect((await fetch(`${url}/none`)).status).toBe(404);
  service.child.kill('SIGTERM');
  expect(await service.exit).toBe(0);
});
