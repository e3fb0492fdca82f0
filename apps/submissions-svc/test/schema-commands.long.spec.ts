import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { eventually } from '@canvass/testing';
import { migrations } from '../migrations';
import { newEncryptionKey, startHarness, type Harness } from './harness';

let test: Harness;
beforeEach(async () => {
  test = await startHarness({ withoutSchema: true });
});
afterEach(() => test.close());

/** The command as an operator starts it, with the configuration of the service. */
async function run(...argv: string[]): Promise<{ status: number | null; lines: string[] }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'apps/submissions-svc/src/main.ts', ...argv], {
    cwd: path.join(__dirname, '../../..'),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      Service__Database__Url: test.databaseUrl,
      Service__Database__MigrateOnStart: 'false',
      Service__Broker__Url: 'amqp://127.0.0.1:1',
      Service__Auth__Own__JwksUri: 'http://127.0.0.1:1/jwks',
      Service__Auth__Own__RevocationsUri: 'http://127.0.0.1:1/internal/revocations',
      Service__Encryption__Keys__0: newEncryptionKey('k1'),
      Service__Internal__Secret: 'a secret of thirty-two characters or more',
    },
  });
  const [output, screen, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { status, lines: (output + screen).trim().split('\n') };
}

it('the process migrates and partitions with the configuration of a service, which becomes ready', async () => {
  const { url } = test.service;
  expect((await fetch(`${url}/ready`)).status).toBe(503);
  expect(await run('migrate')).toEqual({
    status: 0,
    lines: migrations.map(({ name }) => `Applied ${name}.`),
  });
  await eventually(async () => expect((await fetch(`${url}/ready`)).status).toBe(200));
  expect(await run('partition', '4')).toEqual({
    status: 0,
    lines: [
      'Partitioned submitters, submissions, submission_versions, submission_links, submission_comments: 4 partitions each.',
    ],
  });
  expect((await fetch(`${url}/api/public/forms/1`)).status).toBe(404);
  expect(await run('migrate')).toEqual({ status: 0, lines: ['There is nothing to do.'] });
});

it('the process exits with 1 and the reason if a migration fails, and with 2 for a wrong command line', async () => {
  await test.db.query('create table submissions (id bigint)');
  expect(await run('migrate')).toEqual({
    status: 1,
    lines: ['Migration 0001_schema failed: schema.sql: relation "submissions" already exists'],
  });
  expect(await run('migrate', 'up')).toMatchObject({ status: 2 });
});
