import type { Broker, PublishResult } from '@canvass/messaging';
import { eventually, expectMalformedEvents } from '@canvass/testing';
import { change, fill, outboxFixture, revisionsByEntity, type OutboxFixture } from './outbox-fixture';

let fixture: OutboxFixture;
beforeEach(async () => {
  fixture = await outboxFixture();
});
afterEach(() => fixture.end());

const drained = () => eventually(async () => expect(await fixture.pending()).toBe(0));
const idsSeen = () => fixture.seen.map(({ id }) => id);

/** The real broker, with an action before or after each publish. */
function meddled(
  publish: (real: Broker['publish'], ...args: Parameters<Broker['publish']>) => Promise<PublishResult[]>,
) {
  const real = fixture.broker;
  const broker: Broker = { ...real, publish: (messages) => publish(real.publish, messages) };
  return broker;
}

describe('a broker that refuses', () => {
  it('keeps unroutable events, in the order of their entity, while others are published', async () => {
    expectMalformedEvents();
    await fixture.db.query(
      `insert into outbox (lane, event_type, tenant_id, entity, entity_id, revision, data)
       values (0, 'tenant.webhook_settings_changed', 1, 'tenant', 1, 1, '{}'), (0, 'form.updated', 1, 'form', 1, 2, '{}'),
              (0, 'form.updated', 1, 'form', 8, 1, '{}'), (0, 'form.updated', 1, 'form', 8, 2, '{}')`,
    );
    fixture.dispatcher().start();
    await eventually(async () => expect(await fixture.pending()).toBe(2));
    await eventually(() => expect(fixture.seen.map(({ entityId }) => entityId)).toEqual(['8', '8']));
    // The lane continues while entity 1 is in backoff.
    await change(fixture.db, '9');
    await eventually(() => expect(fixture.seen).toHaveLength(3));
    expect(fixture.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', details: expect.objectContaining({ reason: 'returned' }) }),
    );
    await fixture.vhost.api('POST', '/bindings/:vhost/e/service.events/q/seen', { routing_key: 'tenant.*' });
    await drained();
    await eventually(() => expect(revisionsByEntity(fixture.seen).get('1')).toEqual([1, 2]));
  });

  it('publishes an optional event that no queue is bound for to no consumer', async () => {
    expectMalformedEvents();
    await fixture.db.query(
      `insert into outbox (lane, event_type, tenant_id, entity, entity_id, revision, data)
       values (0, 'webhook.delivery_dead', 1, 'delivery', 1, 1, '{}'), (0, 'form.updated', 1, 'form', 1, 2, '{}')`,
    );
    fixture.dispatcher().start();
    await drained();
    await eventually(() => expect(fixture.seen.map(({ type }) => type)).toEqual(['form.updated']));
    expect(fixture.lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('lets no later event of an entity overtake one that failed', async () => {
    await fill(fixture.db, 60, 6);
    let refusals = 20;
    // Rejects a random third of the messages without sending them.
    const broker = meddled(async (publish, messages) => {
      const refused = messages.map(() => refusals > 0 && Math.random() < 0.33 && refusals-- > 0);
      const sent = await publish(messages.filter((_, at) => !refused[at]));
      return messages.map((_, at) => (refused[at] ? { ok: false, reason: 'nacked' } : sent.shift()!));
    });
    fixture.dispatcher('one', { broker }).start();
    await drained();
    await eventually(() => expect(fixture.seen).toHaveLength(60));
    for (const revisions of revisionsByEntity(fixture.seen).values())
      expect(revisions).toEqual([1, 2, 3, 4, 5, 6]);
    expect(new Set(idsSeen()).size).toBe(60);
  });

  it('holds no transaction and no leadership while it is away', async () => {
    const broker = fixture.newBroker();
    await broker.whenConnected();
    fixture.dispatcher('one', { broker }).start();
    await change(fixture.db, '1');
    await drained();
    await broker.close();
    const id = await change(fixture.db, '1');
    const busy = () =>
      fixture.admin.query(
        `select state from pg_stat_activity
          where application_name = 'one outbox' and datname = current_database() and state <> 'idle'`,
      );
    await eventually(async () => expect(await busy()).toEqual([]));
    expect(await fixture.pending()).toBe(1);
    // Another process with a broker takes over the lanes.
    fixture.dispatcher('two').start();
    await drained();
    await eventually(() => expect(idsSeen()).toContain(id));
  });
});

describe('crashes', () => {
  it('between confirm and commit: published again, with the same id', async () => {
    const id = await change(fixture.db, '1');
    let killed = 0;
    const broker = meddled(async (publish, messages) => {
      const results = await publish(messages);
      if (messages.length > 0 && killed === 0) killed = await fixture.killLeaders('one');
      return results;
    });
    fixture.dispatcher('one', { broker }).start();
    await drained();
    expect(killed).toBeGreaterThan(0);
    await eventually(() => expect(idsSeen()).toEqual([id, id]));
  });

  it('of broker connections in mid-drain: nothing is lost, nothing overtakes', async () => {
    await fill(fixture.db, 4_000, 4);
    let calls = 0;
    let closed = 0;
    const broker = meddled(async (publish, messages) => {
      calls += 1;
      if (calls !== 10 && calls !== 40) return publish(messages);
      const closing = eventually(async () => {
        const count = await fixture.vhost.closeConnections();
        closed += count;
        return count > 0;
      });
      const results = await publish(messages);
      await closing;
      return results;
    });
    fixture.dispatcher('one', { broker, batchSize: 50 }).start();
    await drained();
    expect(closed).toBeGreaterThan(1);
    await eventually(() => expect(new Set(idsSeen()).size).toBe(4_000));
    for (const revisions of revisionsByEntity(fixture.seen).values()) expect(revisions).toEqual([1, 2, 3, 4]);
  });

  it('of database sessions in mid-drain: nothing is lost, nothing overtakes', async () => {
    await fill(fixture.db, 2_000, 4);
    fixture.dispatcher('one', { batchSize: 50 }).start();
    fixture.dispatcher('two', { broker: fixture.newBroker(), batchSize: 50 }).start();
    const kill = async () => (await fixture.killLeaders('one')) + (await fixture.killLeaders('two'));
    await eventually(async () => expect(await kill()).toBeGreaterThan(0)); // once they are connected
    for (let round = 0; round < 20 && (await fixture.pending()) > 0; round += 1) {
      await kill();
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    await drained();
    await eventually(() => expect(new Set(idsSeen()).size).toBe(2_000));
    for (const revisions of revisionsByEntity(fixture.seen).values()) expect(revisions).toEqual([1, 2, 3, 4]);
  });
});

describe('stop', () => {
  it('finishes the batch in flight', async () => {
    await fill(fixture.db, 8);
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    let inFlight: () => void = () => undefined;
    const started = new Promise<void>((resolve) => (inFlight = resolve));
    const broker = meddled(async (publish, messages) => {
      inFlight();
      await gate;
      return publish(messages);
    });
    const dispatcher = fixture.dispatcher('one', { broker });
    dispatcher.start();
    await started;
    const stopping = dispatcher.stop();
    release();
    await stopping;
    await eventually(async () => expect(fixture.seen.length + (await fixture.pending())).toBe(8));
    expect(fixture.seen.length).toBeGreaterThan(0);
    expect(new Set(idsSeen()).size).toBe(fixture.seen.length);
  });
});

describe('poison', () => {
  it('is moved aside with its reason, and later events are published', async () => {
    expectMalformedEvents();
    await fixture.db.query(
      `insert into outbox (lane, event_type, tenant_id, entity, entity_id, revision, data, traceparent, settings)
       values (0, 'form.updated', 1, 'form', 1, 1, '[]', null, null),
              (0, 'no type', 1, 'form', 1, 2, '{}', null, null),
              (0, 'form.updated', 1, 'form', 1, 3, '{}', repeat('x', 70000), null),
              (0, 'form.updated', 1, 'form', 1, 4, '{}', null, '5'),
              (0, 'form.updated', 1, 'form', 1, 5, json_build_object('big', repeat('x', 17000000)), null, null),
              (0, 'form.updated', 1, 'form', 1, 6, '{}', null, null)`,
    );
    fixture.dispatcher().start();
    await drained();
    await eventually(() => expect(fixture.seen.map(({ revision }) => revision)).toEqual(['6']));
    const poison = await fixture.db.query<{ revision: string; reason: string }>(
      `select event->>'revision' as revision, reason from outbox_poison order by 1`,
    );
    expect(poison).toEqual([
      { revision: '1', reason: 'its data is not an object' },
      { revision: '2', reason: '"no type" is not an event type' },
      { revision: '3', reason: expect.stringContaining('65536 byte') },
      { revision: '4', reason: 'its settings are not an object' },
      { revision: '5', reason: expect.stringContaining('exceed the limit of a message') },
    ]);
    expect(fixture.lines.filter(({ level }) => level === 'error')).toHaveLength(5);
  });
});
