import { queues } from '@canvass/contracts';
import { eventually, expectMalformedEvents, webhookSink } from '@canvass/testing';
import { operate } from '../src/operations';
import { startHarness, endpointAt, newTenant, type Harness } from './harness';

let world: Harness;
beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());

/** Plays `ops …`; what it printed as JSON lines, its sentences and its status. */
async function ops(...argv: string[]) {
  let output = '';
  let screen = '';
  const status = await operate([...argv, '--json'], world.settings({}), {
    output: { write: (text) => (output += text) },
    screen: { write: (text) => (screen += text) },
  });
  const rows = output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { status, rows, screen, output };
}

describe('endpoints and replay', () => {
  it('list, disable and enable endpoints, and resend dead deliveries', async () => {
    const relay = await world.relay({ webHooks: { RetryScheduleSeconds: [] } });
    const sink = await webhookSink();
    sink.respond(() => ({ status: 500 }));
    const tenant = newTenant(world.owner);
    const endpoint = endpointAt(`${sink.url}/hook?token=in-the-url`, undefined, {
      header: 'X-Key',
      apiKey: 'an-api-key',
    });
    tenant.configure('SubmissionCompleted', [endpoint]);
    await world.publish(tenant.event());
    await eventually(() => expect(sink.requests).toHaveLength(1));
    const named = ['--tenant', tenant.tenantId, '--endpoint', endpoint.endpointId];
    const listed = await eventually(async () => {
      const found = await ops('endpoints', '--tenant', tenant.tenantId);
      expect(found.rows).toEqual([
        expect.objectContaining({
          endpointId: endpoint.endpointId,
          state: 'failing',
          failures: 1,
          waiting: 0,
        }),
      ]);
      return found;
    });
    expect(listed.output).not.toMatch(/in-the-url|an-api-key|whsec_/);
    expect((await ops('endpoints', '--state', 'enabled', '--tenant', tenant.tenantId)).rows).toEqual([]);
    await world.db.query(`update endpoints set resume_at = now() + interval '1 hour' where id = $1`, [
      endpoint.endpointId,
    ]);
    expect((await ops('endpoints', '--state', 'failing', ...named)).rows).toMatchObject([
      { state: 'paused' },
    ]);
    await world.db.query('update endpoints set resume_at = null where id = $1', [endpoint.endpointId]);

    expect((await ops('endpoints', 'disable', ...named)).status).toBe(2);
    expect((await ops('endpoints', '--tenant', tenant.tenantId)).rows[0]).toMatchObject({ state: 'failing' });
    expect((await ops('endpoints', 'disable', ...named, '--yes')).rows[0]).toMatchObject({
      state: 'disabled',
      reason: 'manual',
    });
    const since = ['--since', new Date(Date.now() - 3_600_000).toISOString(), '--yes'];
    expect(await ops('replay', ...named, ...since)).toMatchObject({
      status: 1,
      screen: 'The endpoint is disabled; enable it first.\n',
    });
    expect((await ops('endpoints', 'enable', ...named, '--yes')).rows[0]).toMatchObject({ state: 'enabled' });
    sink.respond(() => ({ status: 200 }));
    expect(await ops('replay', ...named, ...since)).toMatchObject({ status: 0, rows: [{ total: 1 }] });
    await eventually(() => expect(sink.requests).toHaveLength(2));
    await relay.stop();
    await sink.close();
  });

  it('of another tenant do not exist', async () => {
    const named = ['--tenant', '1', '--endpoint', '2', '--yes'];
    for (const words of [
      ['endpoints', 'enable'],
      ['endpoints', 'disable'],
    ])
      expect(await ops(...words, ...named)).toMatchObject({
        status: 1,
        screen: 'There is no webhook endpoint 2.\n',
      });
  });
});

it('deliveries list and show say why a delivery failed', async () => {
  const relay = await world.relay({ webHooks: { RetryScheduleSeconds: [] } });
  const sink = await webhookSink();
  const tenant = newTenant(world.owner);
  const [good, bad] = [endpointAt(`${sink.url}/good`), endpointAt('http://127.0.0.1:1/bad?token=in-the-url')];
  const none = { status: 0, rows: [], screen: 'Nothing found.\n' };
  expect(await ops('deliveries', 'list', '--tenant', tenant.tenantId)).toMatchObject(none);
  tenant.configure('SubmissionCompleted', [good, bad]);
  await world.publish(tenant.event());
  const failed = ['deliveries', 'list', '--failed'];
  const { output, rows } = await eventually(async () => {
    const all = await ops('deliveries', 'list', '--tenant', tenant.tenantId);
    expect(all.rows.map(({ status }) => status).sort()).toEqual(['dead', 'delivered']);
    return ops(...failed, '--tenant', tenant.tenantId);
  });
  expect(rows).toEqual([
    expect.objectContaining({
      tenantId: tenant.tenantId,
      endpointId: bad.endpointId,
      eventName: 'submission_completed',
      status: 'dead',
      attemptCount: 1,
      lastOutcome: 'connection_refused',
      lastStatusCode: null,
      nextAttemptAt: null,
    }),
  ]);
  const id = String(rows[0]!['id']);
  expect((await ops(...failed, '--endpoint', bad.endpointId)).rows).toEqual(rows);
  expect((await ops(...failed)).rows).toContainEqual(rows[0]);
  expect(await ops(...failed, '--endpoint', good.endpointId)).toMatchObject(none);

  const shown = await ops('deliveries', 'show', '--delivery', id);
  expect(shown).toMatchObject({
    status: 0,
    rows: [
      {
        number: 1,
        outcome: 'connection_refused',
        statusCode: null,
        error: 'connect ECONNREFUSED 127.0.0.1:1',
        totalMs: expect.any(Number),
      },
    ],
  });
  expect(shown.screen).toMatch(
    new RegExp(`^Delivery ${id} of submission_completed to endpoint ${bad.endpointId}: dead`),
  );
  expect(output + shown.output).not.toMatch(/in-the-url|whsec_/);
  expect(await ops('deliveries', 'show', '--delivery', '2')).toMatchObject({
    status: 1,
    screen: 'There is no webhook delivery 2.\n',
  });
  await relay.stop();
  await sink.close();
});

describe('dead letters', () => {
  it('are listed and shown without being consumed, requeued and deleted', async () => {
    expectMalformedEvents();
    const relay = await world.relay();
    await world.publish({ id: 'bad-1', type: 'form.updated' });
    await world.publish({ id: 'bad-2', type: 'form.updated' });
    await eventually(async () => {
      expect((await ops('dead-letters')).rows).toEqual(
        ['bad-1', 'bad-2'].map((messageId) =>
          expect.objectContaining({
            messageId,
            routingKey: 'form.updated',
            queue: queues.webhookEvents,
            reason: 'rejected',
          }),
        ),
      );
    });
    await relay.stop();
    // Looked at more often than a work queue would bear.
    for (let looks = 0; looks < 21; looks += 1) await ops('dead-letters', '--limit', '1');
    const { rows } = await ops('dead-letters', 'show', '--message', 'bad-2');
    expect(JSON.parse(String(rows[0]!['body']))).toEqual({ id: 'bad-2', type: 'form.updated' });

    expect(await ops('dead-letters', 'requeue', '--yes')).toMatchObject({ status: 2 });
    expect(await ops('dead-letters', 'requeue', '--message', 'bad-2')).toMatchObject({ status: 2 });
    expect(await ops('dead-letters', 'requeue', '--message', 'bad-2', '--yes')).toMatchObject({
      status: 0,
      rows: [{ messageId: 'bad-2' }],
    });
    await eventually(async () =>
      expect((await world.broker.depths([queues.webhookEvents])).get(queues.webhookEvents)).toBe(1),
    );
    expect((await ops('dead-letters')).rows).toMatchObject([{ messageId: 'bad-1' }]);

    await world.relay(); // which still cannot read it: back again, under the key that it had
    await eventually(async () =>
      expect((await ops('dead-letters')).rows).toMatchObject([
        { messageId: 'bad-1' },
        { messageId: 'bad-2', routingKey: 'form.updated', queue: queues.webhookEvents },
      ]),
    );
    expect(await ops('dead-letters', 'discard', '--message', 'bad-3', '--yes')).toMatchObject({ status: 1 });
    expect((await ops('dead-letters', 'discard', '--all', '--yes')).rows).toHaveLength(2);
    expect((await ops('dead-letters')).rows).toEqual([]);
  }, 240_000); // each look is a connection of its own
});

it('reports an unavailable server without its password', async () => {
  const settings = world.settings({});
  const nowhere = {
    Database: { ...settings.Database, Url: 'postgres://me:pass-word@127.0.0.1:1/x' },
    Broker: settings.Broker,
  };
  let screen = '';
  const terminal = {
    output: { write: () => undefined },
    screen: { write: (text: string) => (screen += text) },
  };
  expect(await operate(['endpoints'], nowhere, terminal)).toBe(3);
  expect(screen).toContain('The operation failed: ');
  expect(screen).not.toContain('pass-word');
});
