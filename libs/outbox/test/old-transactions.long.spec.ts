import { createDatabase } from '@canvass/postgres';
import { eventually, testServers } from '@canvass/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { append } from '../src';
import {
  change,
  fill,
  formView,
  outboxFixture,
  revisionsByEntity,
  type OutboxFixture,
} from './outbox-fixture';

let fixture: OutboxFixture;
let elsewhere: { stop(): Promise<void> };
beforeEach(async () => {
  fixture = await outboxFixture();
  elsewhere = transactionsElsewhere();
});
afterEach(async () => {
  await elsewhere.stop();
  await fixture.end();
});

const drained = () => eventually(async () => expect(await fixture.pending()).toBe(0));

/** Opens a transaction and resolves after `fn` has run in it. The returned function ends it. */
async function idleTransaction(
  fn: (query: (sql: string) => Promise<unknown>) => Promise<unknown>,
): Promise<() => Promise<void>> {
  let finish: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (finish = resolve));
  let done: Promise<void> = Promise.resolve();
  await new Promise<void>((begun, failed) => {
    done = fixture.admin.withClient(async (client) => {
      await client.query('begin isolation level repeatable read');
      await client.query('set local idle_in_transaction_session_timeout = 0'); // not even on a busy machine
      await fn((sql) => client.query(sql)).then(() => begun(), failed);
      await gate;
      await client.query('commit');
    });
  });
  return () => {
    finish();
    return done;
  };
}

/**
 * Runs, in another database of the server, transactions that write and last some seconds; one ends every half
 * second.
 */
function transactionsElsewhere(): { stop(): Promise<void> } {
  const url = new URL(testServers.databaseUrl);
  url.pathname = '/postgres';
  const database = createDatabase({ Url: url.href });
  let stopped = false;
  const writers = Array.from({ length: 6 }, async (_, n) => {
    await sleep(n * 500);
    while (!stopped) {
      await database.transaction(async (tx) => {
        await tx.query('select pg_current_xact_id()');
        await sleep(3_000);
      });
    }
  });
  return {
    async stop() {
      stopped = true;
      await Promise.all(writers);
      await database.close();
    },
  };
}

/**
 * Makes changes in the lane of entity 5 until the scan floor has risen; see `scan-floor.ts`. Each is of
 * another entity, because the events of one entity are published one after the other, which is slow.
 */
async function letTheFloorRise(): Promise<void> {
  const enough = Date.now() + 3_500;
  for (let id = 133; Date.now() < enough; id += 128) {
    await change(fixture.db, String(id));
    await sleep(25);
  }
  await drained();
}

describe('a transaction that is open for long', () => {
  it('and has appended is published at its commit, before later events of its entity', async () => {
    fixture.dispatcher().start();
    let finish: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (finish = resolve));
    let begun: () => void = () => undefined;
    const appended = new Promise<void>((resolve) => (begun = resolve));
    const idle = fixture.db.transaction(async (tx) => {
      await tx.query('set local idle_in_transaction_session_timeout = 0');
      await tx.query('insert into things (id, revision) values (5, 1)');
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
    const later = change(fixture.db, '5'); // waits for the row
    await letTheFloorRise();
    expect(fixture.seen.filter(({ entityId }) => entityId === '5')).toEqual([]);
    finish();
    await Promise.all([idle, later]);
    await drained();
    await eventually(() => expect(revisionsByEntity(fixture.seen).get('5')).toEqual([1, 2]));
  }, 180_000);

  it('makes no scan step over all rows published since', async () => {
    const rows = 4_000;
    const commit = await idleTransaction((query) =>
      query('select pg_current_xact_id(), count(*) from pg_class'),
    );
    fixture.dispatcher().start();
    await fill(fixture.db, rows * 4, 1);
    await drained();
    await letTheFloorRise();
    await fixture.db.query('analyze outbox'); // as autovacuum does: the table seems to be empty
    // Index entries read by scans, as the server counts them; sessions report them at most once a second.
    const read = async () => {
      const sql = `select idx_tup_read::int as read from pg_stat_user_indexes where indexrelname = 'outbox_pkey'`;
      return (await fixture.admin.query<{ read: number }>(sql))[0]!.read;
    };
    const settled = async () => {
      for (let last = -1, now = await read(); ; [last, now] = [now, await read()]) {
        if (last === now) return now;
        await sleep(1_500);
      }
    };
    const looks = 60; // the end of a transaction, such as that of an autovacuum, allows full scans for 2 s
    const readPerChange = async () => {
      const before = await settled();
      for (let n = 0; n < looks; n += 1) {
        const id = await change(fixture.db, '5');
        // Not `drained`: once the table is analyzed, its count reads the index, too.
        await eventually(() => expect(fixture.seen.at(-1)).toMatchObject({ id }));
      }
      return ((await settled()) - before) / looks;
    };
    const perChange = await readPerChange();
    await commit();
    // At least two scans per change would each read all of them.
    expect(perChange).toBeLessThan(rows);
  }, 180_000);
});
