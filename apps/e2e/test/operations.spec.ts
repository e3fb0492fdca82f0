import { eventually, expectMalformedEvents } from '@canvass/testing';
import amqp from 'amqplib';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { runOps as ops } from '../src/ops';
import { stackFile } from '../src/stack';

const rowsOf = (output: string) =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

it('shows the outboxes of all services, and reports wrong options once', async () => {
  const leaders = ['submissions-svc', 'datalists-svc', 'webhook-relay-svc'].map((service) =>
    expect.objectContaining({ service, leader: expect.any(Number), lanes: 64 }),
  );
  // Other tests stop the servers, and lanes have a leader again only some time later.
  await eventually(async () => {
    const { status, output } = await ops('outbox', '--json');
    expect(status).toBe(0);
    expect(rowsOf(output)).toEqual(leaders);
  });
  expect(await ops('outbox', 'stuck', '--older-than', '0')).toEqual({
    status: 2,
    output: '',
    said: '--older-than must be 1 to 10000, not "0".\n',
  });
  expect(await ops('nonsense')).toMatchObject({ status: 2, output: '' });
}, 240_000);

it('prints the operations of all services in its help, and those below a word', async () => {
  const named = (output: string) =>
    [...output.matchAll(/^ops (\S+( \S+)?) /gm)].map(([, name]) => name!.trim());
  const all = await ops('--help');
  expect([all.status, all.said]).toEqual([0, '']);
  const names = named(all.output);
  expect(names).toEqual(
    expect.arrayContaining(['audit verify', 'dead-letters', 'resync forms', 'users reset-password']),
  );
  expect(new Set(names).size).toBe(names.length);
  const below = await ops('tenants', '--help');
  expect(named(below.output).sort()).toEqual([
    'tenants create',
    'tenants export',
    'tenants import',
    'tenants list',
  ]);
});

it('exports a tenant from the services that have its data, and takes it in again', async () => {
  const { demo } = await stackFile();
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'canvass-tenant-')), 'archive');
  try {
    const owners = ['identity-svc', 'submissions-svc', 'datalists-svc'];
    const exported = await ops('tenants', 'export', '--tenant', demo.tenantId, '--folder', folder, '--json');
    expect([exported.status, readdirSync(folder).sort()]).toEqual([
      0,
      owners.map((name) => `${name}.ndjson`).sort(),
    ]);
    const services = rowsOf(exported.output).map(({ service }) => service);
    expect([...new Set(services)]).toEqual(owners);
    const importing = (...more: string[]) =>
      ops('tenants', 'import', '--folder', folder, '--yes', '--json', ...more);
    expect((await importing()).said).toContain(`pass --tenant ${demo.tenantId}`);
    const into = ['--tenant', demo.tenantId];
    const [, administrators = ''] = /--administrators (\d+)/.exec((await importing(...into)).said) ?? [];
    const imported = await importing(...into, '--administrators', administrators);
    expect([imported.status, imported.said.trim()]).toEqual([
      0,
      expect.stringMatching(`^Imported the tenant "Demo" with ${administrators} administrators\\.$`),
    ]);
    expect(rowsOf(imported.output)).toContainEqual({
      service: 'identity-svc',
      tenantId: demo.tenantId,
      table: 'tenants',
      rows: 1,
      inserted: 0,
    });

    // The other tenant cannot have the ids of this one: the first service refuses, and no other is asked.
    const other = ['--folder', folder, '--tenant', demo.otherTenant.tenantId];
    const refused = await ops(
      'tenants',
      'import',
      ...other,
      '--administrators',
      administrators,
      '--yes',
      '--json',
    );
    expect([refused.status, refused.output]).toEqual([1, '']);
    expect(refused.said).toMatch(/are in conflict.*\nidentity-svc did not do it/);
    expect((await ops('tenants', 'list', '--json')).status).toBe(0);
  } finally {
    rmSync(path.dirname(folder), { recursive: true });
  }
});

it('sets and resets a quota in the service that has it', async () => {
  const tenant = ['--tenant', '117427679766773771'];
  const quota = [...tenant, '--quota', 'dataLists', '--yes', '--json'];
  const set = await ops('quotas', 'set', ...quota, '--limit', '7');
  expect([set.status, rowsOf(set.output), set.said]).toEqual([
    0,
    [expect.objectContaining({ service: 'datalists-svc', quota: 'dataLists', limit: 7, isOwnLimit: true })],
    '',
  ]);
  const listed = rowsOf((await ops('quotas', 'list', ...tenant, '--json')).output);
  expect(new Set(listed.map(({ service }) => service))).toEqual(
    new Set(['identity-svc', 'submissions-svc', 'datalists-svc']),
  );
  expect(listed.filter(({ isOwnLimit }) => isOwnLimit)).toHaveLength(1);
  expect((await ops('quotas', 'reset', ...quota)).status).toBe(0);
  const none = ['--quota', 'nonsense', '--limit', '7', '--yes'];
  expect(await ops('quotas', 'set', ...tenant, ...none)).toEqual({
    status: 1,
    output: '',
    said: 'There is no quota nonsense.\n',
  });
}, 240_000);

it('finds a poison event in its outbox and deletes it', async () => {
  const { databaseUrl } = await stackFile();
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  const { rows } = await database.query<{ id: string }>(
    `insert into datalists.outbox (lane, event_type, tenant_id, entity, entity_id, revision, data)
     values (1, 'datalist.updated', 1, 'datalist', 1, 1, '"no object"') returning event_id as id`,
  );
  await database.end();
  const named = ['--event', rows[0]!.id];
  await eventually(async () =>
    expect((await ops('poison', '--json')).output).toContain(`"eventId":"${rows[0]!.id}"`),
  );
  const { output, said } = await ops('poison', 'show', ...named, '--json');
  expect(rowsOf(output)).toMatchObject([{ service: 'datalists-svc', reason: 'its data is not an object' }]);
  expect(said).toBe('');
  expect(await ops('poison', 'discard', ...named)).toMatchObject({ status: 2, output: '' });
  expect(await ops('poison', 'discard', ...named, '--yes')).toMatchObject({
    status: 0,
    said: 'The event is deleted.\n',
  });
  expect(await ops('poison', 'show', ...named)).toEqual({
    status: 1,
    output: '',
    said: `There is no poisoned event ${rows[0]!.id}.\n`,
  });
}, 240_000);

it('shows a dead letter for each consumer that rejected it, requeues it, and deletes it', async () => {
  expectMalformedEvents();
  const connection = await amqp.connect((await stackFile()).amqpUrl);
  const channel = await connection.createConfirmChannel();
  const messageId = `ops-${process.pid}`;
  channel.publish('service.events', 'form.updated', Buffer.from('not JSON'), { messageId });
  await channel.waitForConfirms();
  await connection.close();
  const named = ['--message', messageId];
  const dead = async (...words: string[]) => rowsOf((await ops('dead-letters', ...words, '--json')).output);
  const ofBoth = ['datalists.forms', 'webhook.events'].map((queue) =>
    expect.objectContaining({ messageId, queue, body: 'not JSON' }),
  );
  const shown = () =>
    eventually(async () =>
      expect(
        (await dead('show', ...named)).sort((a, b) => String(a['queue']).localeCompare(String(b['queue']))),
      ).toEqual(ofBoth),
    );
  await shown();
  expect(await dead('requeue', ...named, '--yes')).toHaveLength(2);
  await shown(); // no consumer can read it: it is dead-lettered again
  expect(await dead('discard', ...named, '--yes')).toHaveLength(2);
  expect(await ops('dead-letters', 'show', ...named)).toMatchObject({ status: 1 });
}, 240_000);

it('lists endpoints, filters them by state, and reports an unknown one', async () => {
  expect(await ops('endpoints', '--tenant', '1', '--state', 'failing')).toEqual({
    status: 0,
    output: '',
    said: '0 endpoints.\n',
  });
  const replay = ['replay', '--tenant', '1', '--endpoint', '1', '--since', '2026-01-01T00:00:00Z', '--yes'];
  expect(await ops(...replay)).toMatchObject({ status: 1, said: 'There is no webhook endpoint 1.\n' });
}, 240_000);
