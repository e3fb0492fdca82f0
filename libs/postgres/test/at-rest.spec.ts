import { eventually, type TestDatabase } from '@canvass/testing';
import {
  createDatabase,
  createReencryption,
  reencrypt,
  type Database,
  type ReencryptionResult,
  type Sql,
} from '../src';
import { emptyDatabase } from './empty-database';

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await emptyDatabase();
  db = createDatabase({ Url: database.url });
  await db.query(
    'create table secrets (tenant_id bigint, name text, sealed text, primary key (tenant_id, name))',
  );
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

/** Readable, so that a spec can check the result. */
const box = {
  seal: (plain: string, context: string) => `new(${context}:${plain})`,
  open(sealed: string, context: string) {
    const [, plain] = new RegExp(`^(?:old|new)\\(${context}:(.*)\\)$`).exec(sealed) ?? [];
    if (plain === undefined) throw new Error('does not open');
    return plain;
  },
  isStale: (sealed: string) => !sealed.startsWith('new('),
};

const createReencryptor = (
  done: ReencryptionResult[],
  onRead: () => Promise<unknown> = () => Promise.resolve(),
) =>
  createReencryption({
    db: {
      async query<R>(sql: Sql<R>, values?: readonly unknown[]) {
        const rows = await db.query(sql, values);
        if (/^\s*select/.test(String(sql))) await onRead();
        return rows;
      },
    },
    columns: [
      {
        table: 'secrets',
        column: 'sealed',
        key: ['tenant_id', 'name'],
        reencrypt: (sealed, { tenant_id: tenant, name }) => reencrypt(box, sealed, `${tenant}/${name}`),
      },
    ],
    onDone: (result) => void done.push(result),
    onError: (error) => void done.push(error as ReencryptionResult),
  });

const runOnce = async (onRead?: () => Promise<unknown>) => {
  const done: ReencryptionResult[] = [];
  const one = createReencryptor(done, onRead);
  one.start();
  await eventually(() => expect(done).toHaveLength(1));
  await one.stop();
  return done[0];
};

describe('re-encryption', () => {
  it('processes every row once, whatever the number and text order of the keys', async () => {
    await db.query(
      `insert into secrets select n, 'x', 'old(' || n || '/x:plain ' || n || ')' from generate_series(1, 450) n`,
    );
    expect(await runOnce()).toEqual({ reencrypted: 450, unreadable: 0 });
    const [left] = await db.query<{ left: string }>(
      `select count(*) as left from secrets where sealed not like 'new(%'`,
    );
    expect(left).toEqual({ left: '0' });
    expect(await runOnce()).toEqual({ reencrypted: 0, unreadable: 0 });
  });

  it('skips null, fresh and unreadable values, and counts the unreadable', async () => {
    await db.query(
      `insert into secrets values (1, 'a', null), (1, 'b', 'new(1/b:x)'), (1, 'c', 'old(2/c:x)'), (1, 'd', 'old(1/d:x)')`,
    );
    expect(await runOnce()).toEqual({ reencrypted: 1, unreadable: 1 });
    expect(await db.query('select sealed from secrets order by name')).toEqual([
      { sealed: null },
      { sealed: 'new(1/b:x)' },
      { sealed: 'old(2/c:x)' },
      { sealed: 'new(1/d:x)' },
    ]);
  });

  it('never reverts a concurrent change', async () => {
    await db.query(`insert into secrets values (1, 'a', 'old(1/a:before)')`);
    const change = () => db.query(`update secrets set sealed = 'new(1/a:after)'`);
    expect(await runOnce(change)).toEqual({ reencrypted: 0, unreadable: 0 });
    expect(await db.query('select sealed from secrets')).toEqual([{ sealed: 'new(1/a:after)' }]);
  });
});
