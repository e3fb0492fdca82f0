import { eventEnvelopeSchema, type FormView } from '@canvass/contracts';
import { eventually, expectMalformedEvents } from '@canvass/testing';
import { append, type WakeTime } from '../src';
import { claim, claimRows, joinMembers } from '../src/lane.sql';
import {
  change,
  fill,
  formView,
  outboxFixture,
  revisionsByEntity,
  type OutboxFixture,
} from './outbox-fixture';

let fixture: OutboxFixture;
beforeEach(async () => {
  fixture = await outboxFixture();
});
afterEach(() => fixture.end());

const drained = () => eventually(async () => expect(await fixture.pending()).toBe(0));

describe('what is published', () => {
  it('is the envelope of the contracts, with the bytes of its data', async () => {
    const id = '9223372036854775806';
    const name = 'Zürich \u0000 \ud800 ٣ "quoted"';
    const data: FormView = { ...formView(id, '9007199254740993'), name };
    const eventId = await fixture.db.transaction((tx) =>
      append(tx, {
        type: 'form.created',
        tenantId: '7',
        entity: 'form',
        entityId: id,
        formId: id,
        revision: '9007199254740993',
        settings: { scope: 'form', scopeId: id, version: '3' },
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        data,
      }),
    );
    fixture.dispatcher().start();
    await eventually(() => expect(fixture.seen).toHaveLength(1));
    const [envelope] = fixture.seen;
    expect(eventEnvelopeSchema.validate(envelope).error).toBeUndefined();
    expect(envelope).toEqual({
      id: eventId,
      type: 'form.created',
      schemaVersion: 1,
      tenantId: '7',
      entity: 'form',
      entityId: id,
      formId: id,
      revision: '9007199254740993',
      occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      settings: { scope: 'form', scopeId: id, version: '3' },
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      data,
    });
    expect(fixture.headers[0]).toMatchObject({
      messageId: eventId,
      routingKey: 'form.created',
      tenant: '7',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });
    await drained();
  });

  it('contains only committed changes', async () => {
    const rolledBack = fixture.db.transaction(async (tx) => {
      await append(tx, {
        type: 'form.deleted',
        tenantId: '1',
        entity: 'form',
        entityId: '1',
        formId: '1',
        revision: '1',
        settings: null,
        traceparent: null,
        data: formView('1', '1'),
      });
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
    const committed = await change(fixture.db, '1');
    fixture.dispatcher().start();
    await drained();
    await eventually(() => expect(fixture.seen.map(({ id }) => id)).toEqual([committed]));
  });

  it('keeps the order of each entity with concurrent writers', async () => {
    fixture.dispatcher().start();
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 30; n += 1) await change(fixture.db, String(((writer + n) % 6) + 1));
    });
    await Promise.all(writers);
    await drained();
    await eventually(() => expect(fixture.seen).toHaveLength(240));
    for (const revisions of revisionsByEntity(fixture.seen).values()) {
      expect(revisions).toEqual(revisions.map((_, at) => at + 1));
    }
  });

  it('does not wait for an idle transaction', async () => {
    let finish: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (finish = resolve));
    let begun: () => void = () => undefined;
    const appended = new Promise<void>((resolve) => (begun = resolve));
    const idle = fixture.db.transaction(async (tx) => {
      await append(tx, {
        type: 'form.updated',
        tenantId: '1',
        entity: 'form',
        entityId: '5',
        formId: '5',
        revision: '1',
        settings: null,
        traceparent: null,
        data: formView('5', '1'),
      });
      begun();
      await gate;
    });
    await appended;
    fixture.dispatcher().start();
    const other = await change(fixture.db, '133'); // the same lane, a later row
    await eventually(() => expect(fixture.seen.map(({ id }) => id)).toEqual([other]));
    finish();
    await idle;
    await eventually(() => expect(fixture.seen.map(({ entityId }) => entityId)).toEqual(['133', '5']));
  });
});

describe('several dispatchers', () => {
  it('publish without faults nothing twice, and each entity in order', async () => {
    await fill(fixture.db, 2_000, 5);
    for (const name of ['one', 'two']) {
      fixture.dispatcher(name, { broker: fixture.newBroker(), batchSize: 100 }).start();
    }
    await drained();
    await eventually(() => expect(fixture.seen).toHaveLength(2_000));
    expect(new Set(fixture.seen.map(({ id }) => id)).size).toBe(2_000);
    for (const revisions of revisionsByEntity(fixture.seen).values())
      expect(revisions).toEqual([1, 2, 3, 4, 5]);
  });

  it('take over when the leader dies', async () => {
    fixture.dispatcher('one').start();
    await change(fixture.db, '1');
    await drained();
    const standby = fixture.dispatcher('two');
    standby.start();
    let kills = 0;
    for (let round = 0; round < 5; round += 1) {
      for (let n = 0; n < 8; n += 1) await change(fixture.db, String(n + 1));
      kills += (await fixture.killLeaders('one')) + (await fixture.killLeaders('two'));
    }
    expect(kills).toBeGreaterThan(0);
    await drained();
    await eventually(() => {
      for (const revisions of revisionsByEntity(fixture.seen).values()) {
        expect(revisions).toEqual(revisions.map((_, at) => at + 1));
      }
      expect(revisionsByEntity(fixture.seen).get('1')).toHaveLength(6);
    });
  });

  it('hand over when they stop', async () => {
    const first = fixture.dispatcher('one');
    first.start();
    await change(fixture.db, '1');
    await drained();
    await first.stop();
    const sessions = () =>
      fixture.admin.query(
        `select from pg_stat_activity where application_name = 'one outbox' and datname = current_database()`,
      );
    // The server ends a session shortly after its client has gone.
    await eventually(async () => expect(await sessions()).toEqual([]));
    fixture.dispatcher('two').start();
    await change(fixture.db, '1');
    await drained();
  });
});

it('one scan takes many events that may wait, and few of those that may not', async () => {
  let batches = 0;
  const dispatcher = fixture.dispatcher('waking', {
    onPublished: (rows) => (batches += Math.min(1, rows.length)),
  });
  dispatcher.start();
  await change(fixture.db, '1');
  await drained(); // it leads

  /** The number of batches for 40 events that are committed one after the other. */
  async function batchesOf(when: WakeTime): Promise<number> {
    const before = batches;
    for (let id = 2_000; id < 2_040; id += 1) {
      await change(fixture.db, String(id));
      dispatcher.wake(String(id), when);
    }
    await drained();
    return batches - before;
  }
  const [soon, now] = [await batchesOf('soon'), await batchesOf('now')];
  expect(now / soon).toBeGreaterThan(2);
});

describe('stats', () => {
  it('report waiting events, to callers and to metrics', async () => {
    const gauges = new Map<string, () => number | Promise<number>>();
    const counted = new Map<string, number>();
    const metrics = {
      counter: ({ name }: { name: string }) => ({
        inc: (labels: { reason: string } | number | undefined, value = 1) =>
          void counted.set(name, (counted.get(name) ?? 0) + (typeof labels === 'number' ? labels : value)),
      }),
      gauge: ({ name, collect }: { name: string; collect: () => number | Promise<number> }) =>
        void gauges.set(name, collect),
    };
    const dispatcher = fixture.dispatcher('one', { metrics });
    expect(await dispatcher.stats()).toEqual({ pending: 0, oldestAgeSeconds: 0, poisoned: 0 });
    await fill(fixture.db, 3);
    await fixture.db.query(`update outbox set created_at = now() - interval '1 hour' where entity_id = 1002`);
    const { pending, oldestAgeSeconds } = await dispatcher.stats();
    expect(pending).toBe(3);
    expect(oldestAgeSeconds).toBeGreaterThan(3_599);
    expect(await gauges.get('outbox_pending_events')?.()).toBe(3);
    expect(await gauges.get('outbox_poison_events')?.()).toBe(0);
    dispatcher.start();
    await drained();
    await eventually(() => expect(counted.get('outbox_published_total')).toBe(3));
  });
});

describe('the claim', () => {
  const everything = { lanes: [2, 3], floors: ['0', '0'], open: [], perLane: 500, excluded: ['5'] };

  it('uses the index, whatever the statistics say', async () => {
    await fixture.db.query('analyze outbox'); // of an empty table
    await fill(fixture.db, 20_000);
    const session = await fixture.db.openSession('plans');
    await joinMembers(session);
    const { text, values } = claim({ ...everything, bytes: 1_000_000 });
    const { rows } = await session.query<{ 'QUERY PLAN': string }>(`explain ${text}`, [...values]);
    await session.end();
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index Scan using outbox_pkey');
    expect(plan).not.toContain('Seq Scan');
  });

  it('takes rows up to its bytes, and a larger one alone', async () => {
    expectMalformedEvents();
    const sizes = [400, 500, 3_000, 10];
    for (const size of sizes)
      await fixture.db.query(
        `insert into outbox (lane, event_type, tenant_id, entity, entity_id, revision, data)
         values (2, 'form.updated', 1, 'form', 4, 1, json_build_object('a', repeat('x', $1::int - 10)))`,
        [size],
      );
    const session = await fixture.db.openSession('claims');
    const taken: number[][] = [];
    for (let floor = '0'; ;) {
      const { found, isCut } = await claimRows(session, {
        ...everything,
        floors: [floor, floor],
        bytes: 1_000,
      });
      taken.push(found.map(({ bytes }) => bytes));
      floor = found.at(-1)!.id;
      if (!isCut) break;
    }
    await session.end();
    expect(taken).toEqual([[400, 500], [3_000], [10]]);
  });

  it('reads the data of no row that it leaves', async () => {
    expectMalformedEvents();
    const megabyte = `json_build_object('a', (select string_agg(md5(n::text), '') from generate_series(1, 32768) as n))`;
    await fixture.db.query(
      `insert into outbox (lane, event_type, tenant_id, entity, entity_id, revision, data)
       select 2, 'form.updated', 1, 'form', 4, 1, ${megabyte} from generate_series(1, 20)`,
    );
    const session = await fixture.db.openSession('reads');
    const readBy = async (bytes: number) => {
      const { text, values } = claim({ ...everything, bytes });
      const { rows } = await session.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `explain (analyze, buffers, serialize, format json) ${text}`,
        [...values],
      );
      const [{ Plan: plan }] = rows[0]!['QUERY PLAN'];
      return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
    };
    const [one, all] = [await readBy(1), await readBy(100_000_000)];
    await session.end();
    expect(all / one).toBeGreaterThan(10);
  });
});
