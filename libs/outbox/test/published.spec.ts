import { setTimeout as sleep } from 'node:timers/promises';
import {
  createDatabase,
  migrate,
  nextIdSchema,
  ownerOf,
  provision,
  schemaMigration,
} from '@canvass/postgres';
import type { Broker } from '@canvass/messaging';
import { eventually, testDatabase } from '@canvass/testing';
import { connect } from 'amqplib';
import { eraseEvents, outboxSchema, outboxOperations } from '../src';
import { dropPublished, slotSql } from '../src/published.sql';
import { change, changeIn, outboxFixture, revisionsByEntity, type OutboxFixture } from './outbox-fixture';

let fixture: OutboxFixture;
beforeEach(async () => {
  fixture = await outboxFixture({ consumes: false });
});
afterEach(() => fixture.end());

const keepHours = 24;
const drained = () => eventually(async () => expect(await fixture.pending()).toBe(0));
const kept = () =>
  fixture.db.query<{ eventId: string; data: Record<string, unknown>; settings: unknown }>(
    'select event_id as "eventId", data, settings from outbox_published order by id',
  );

async function republish(since: string, db = fixture.db): Promise<string | undefined> {
  const operation = outboxOperations('spec', db).find(({ name }) => name === 'outbox republish')!;
  return ((await operation.run({ since })) as { say?: string }).say;
}

/** Purges what RabbitMQ forgets when it loses its data. */
async function purge(): Promise<number> {
  const connection = await connect(fixture.vhost.url);
  const channel = await connection.createChannel();
  const { messageCount } = await channel.purgeQueue('seen');
  await connection.close();
  return messageCount;
}

const longAgo = '2026-01-01T00:00:00Z';

it('events that the broker has lost are published again, once each, with their ids and in order', async () => {
  fixture.dispatcher('dispatcher', { keepHours }).start();
  const ids = [await change(fixture.db, '8'), await change(fixture.db, '9'), await change(fixture.db, '8')];
  await drained();
  expect((await kept()).map(({ eventId }) => eventId)).toEqual(ids);
  expect(await purge()).toBe(3);

  expect(await republish(longAgo)).toBe('spec: 3 events are sent again.');
  await drained();
  fixture.consume();
  await eventually(() => expect(fixture.seen).toHaveLength(3));
  expect(fixture.seen.map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect([...revisionsByEntity(fixture.seen)].sort()).toEqual([
    ['8', [1, 2]],
    ['9', [1]],
  ]);
  // They are kept again, and can be sent once more.
  expect((await kept()).map(({ eventId }) => eventId).sort()).toEqual([...ids].sort());
});

it('only events that were published since the time are sent again', async () => {
  fixture.dispatcher('dispatcher', { keepHours }).start();
  const before = await change(fixture.db, '8');
  await drained();
  const [{ now }] = (await fixture.db.query<{ now: Date }>('select clock_timestamp() as now')) as [
    { now: Date },
  ];
  await fixture.db.query(`update outbox_published set published_at = $1::timestamptz - interval '1 ms'`, [
    now,
  ]);
  const after = await change(fixture.db, '8');
  await drained();
  await purge();
  expect(await republish(now.toISOString())).toBe('spec: 1 events are sent again.');
  fixture.consume();
  await eventually(() => expect(fixture.seen.map(({ id }) => id)).toEqual([after]));
  await drained(); // an event arrives before it becomes published
  expect(await republish(longAgo)).toBe('spec: 2 events are sent again.');
  await eventually(() => expect(fixture.seen.map(({ id }) => id)).toContain(before));
});

it('events that the broker confirmed and lost before they became published are sent again', async () => {
  const { broker } = fixture;
  let confirmed = 0;
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  const slow: Broker = {
    ...broker,
    async publish(messages) {
      const results = await broker.publish(messages);
      confirmed += results.length;
      await held;
      return results;
    },
  };
  fixture.dispatcher('dispatcher', { keepHours, broker: slow }).start();
  const ids = [await change(fixture.db, '8'), await change(fixture.db, '9')];
  await eventually(() => expect(confirmed).toBe(2));
  expect(await purge()).toBe(2);
  expect(await republish(longAgo)).toBe('spec: 0 events are sent again.');
  release();
  await drained();
  fixture.consume();
  await eventually(() => expect(fixture.seen.map(({ id }) => id).sort()).toEqual([...ids].sort()));
});

it('a waiting event stays before one that is being committed while events are sent again', async () => {
  await change(fixture.db, '8');
  let commit!: () => void;
  const held = new Promise<void>((resolve) => (commit = resolve));
  let appended!: () => void;
  const isAppended = new Promise<void>((resolve) => (appended = resolve));
  const second = fixture.db.transaction(async (tx) => {
    await changeIn(tx, '8');
    appended();
    await held;
  });
  await isAppended;
  const republished = republish(longAgo);
  await sleep(1_000);
  commit();
  await Promise.all([second, republished]);
  fixture.consume();
  fixture.dispatcher('dispatcher', { keepHours }).start();
  await drained();
  await eventually(() => expect(fixture.seen).toHaveLength(2));
  expect([...revisionsByEntity(fixture.seen)]).toEqual([['8', [1, 2]]]);
});

it('an erasure reaches published events, and what is sent again is erased', async () => {
  fixture.dispatcher('dispatcher', { keepHours }).start();
  await change(fixture.db, '8');
  await change(fixture.db, '9');
  await drained();
  await purge();
  await fixture.db.query(
    `update outbox_published set settings = '{"scope":"form","scopeId":"1","version":"1"}'`,
  );
  await fixture.db.transaction((tx) =>
    eraseEvents(tx, { tenantId: '1', entityIds: ['8'], members: { name: 'Erased' }, withoutWebhooks: true }),
  );
  expect(await kept()).toMatchObject([
    { data: { id: '8', name: 'Erased', revision: '1' }, settings: null },
    { data: { id: '9', name: 'Name' }, settings: { version: '1' } },
  ]);
  await republish(longAgo);
  fixture.consume();
  await eventually(() => expect(fixture.seen).toHaveLength(2));
  expect(fixture.seen.find(({ entityId }) => entityId === '8')).toMatchObject({ data: { name: 'Erased' } });
});

it('without KeepHours a published event is deleted', async () => {
  fixture.dispatcher().start();
  await change(fixture.db, '8');
  await drained();
  expect(await kept()).toEqual([]);
});

describe('with a role that changes rows only', () => {
  const [role, password, ownerPassword] = ['published_rows', 'password', 'owner password'] as const;

  it('published events are dropped when all of their window are older, and no others', async () => {
    const schema = 'published_rows';
    const database = await testDatabase({
      template: 'outbox-rows',
      schema: 'spec',
      prepare: () => Promise.resolve(),
    });
    const urlOf = (user: string, secret: string) => {
      const url = new URL(database.adminUrl);
      [url.username, url.password] = [user, encodeURIComponent(secret)];
      return url.href;
    };
    await provision(database.adminUrl, [{ schema, role, password, ownerPassword }]);
    const migrations = [schemaMigration([nextIdSchema, outboxSchema], 7)];
    await migrate(urlOf(ownerOf(role), ownerPassword), migrations, { grantTo: role });
    const db = createDatabase({ Url: urlOf(role, password) });
    // In one transaction, so that all have one present.
    await db.transaction(async (tx) => {
      // One event in each of the last 16 windows of four hours, the newest in the present one.
      await tx.query(
        `insert into outbox_published
           (slot, published_at, id, event_id, event_type, tenant_id, entity, entity_id, revision, data, created_at)
         select ${slotSql('at')}, at, n, n, 'form.updated', 1, 'form', 1, 1, '{}', at
           from generate_series(0, 15) n cross join lateral (select now() - n * interval '4 hours' as at) as made`,
      );
      const ages = async () =>
        (await tx.query<{ age: number }>('select id::int * 4 as age from outbox_published order by id')).map(
          ({ age }) => age,
        );
      await tx.query(dropPublished({ keepHours: 24 }));
      // Of the window in which 24 hours ago is, some events may be younger.
      expect(await ages()).toEqual([0, 4, 8, 12, 16, 20, 24]);
      await tx.query(dropPublished({ keepHours: 8 }));
      expect(await ages()).toEqual([0, 4, 8]);
    });
    expect(await republish(longAgo, db)).toBe('spec: 3 events are sent again.');
    await expect(db.query('truncate outbox_published_0')).rejects.toThrow('permission denied');
    await db.close();
    await database.drop();
  });
});
