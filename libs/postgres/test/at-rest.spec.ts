import { eventually, testDatabase, type TestDatabase } from '@canvass/testing';
import { createDatabase, createResealer, sealedAnew, type Database, type Renewal } from '../src';

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await testDatabase({
    template: 'at-rest-spec empty',
    schema: 'postgres_spec',
    prepare: () => Promise.resolve(),
  });
  db = createDatabase({ Url: database.url });
  await db.query(
    'create table secrets (tenant_id bigint, name text, sealed text, primary key (tenant_id, name))',
  );
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

/** Readable, so that a spec can tell what happened. */
const box = {
  seal: (plain: string, context: string) => `new(${context}:${plain})`,
  open(sealed: string, context: string) {
    const [, plain] = new RegExp(`^(?:old|new)\\(${context}:(.*)\\)$`).exec(sealed) ?? [];
    if (plain === undefined) throw new Error('does not open');
    return plain;
  },
  isStale: (sealed: string) => !sealed.startsWith('new('),
};

const resealer = (done: Renewal[], onRead: () => Promise<unknown> = () => Promise.resolve()) =>
  createResealer({
    db: {
      async query<R>(...call: Parameters<Database['query']>) {
        const rows = await db.query<R>(...call);
        if (/^\s*select/.test(String(call[0]))) await onRead();
        return rows;
      },
    },
    columns: [
      {
        table: 'secrets',
        column: 'sealed',
        key: ['tenant_id', 'name'],
        renew: (sealed, { tenant_id: tenant, name }) => sealedAnew(box, sealed, `${tenant}/${name}`),
      },
    ],
    onDone: (renewal) => void done.push(renewal),
    onError: (error) => void done.push(error as Renewal),
  });

const runOnce = async (onRead?: () => Promise<unknown>) => {
  const done: Renewal[] = [];
  const one = resealer(done, onRead);
  one.start();
  await eventually(() => expect(done).toHaveLength(1));
  one.stop();
  return done[0];
};

describe('sealing anew', () => {
  it('takes every row once, however many and whatever their order as text is', async () => {
    await db.query(
      `insert into secrets select n, 'x', 'old(' || n || '/x:plain ' || n || ')' from generate_series(1, 450) n`,
    );
    expect(await runOnce()).toEqual({ renewed: 450, unreadable: 0 });
    const [left] = await db.query<{ left: string }>(
      `select count(*) as left from secrets where sealed not like 'new(%'`,
    );
    expect(left).toEqual({ left: '0' });
    expect(await runOnce()).toEqual({ renewed: 0, unreadable: 0 });
  });

  it('leaves alone what is null, fresh or cannot be opened, and counts the last', async () => {
    await db.query(
      `insert into secrets values (1, 'a', null), (1, 'b', 'new(1/b:x)'), (1, 'c', 'old(2/c:x)'), (1, 'd', 'old(1/d:x)')`,
    );
    expect(await runOnce()).toEqual({ renewed: 1, unreadable: 1 });
    expect(await db.query('select sealed from secrets order by name')).toEqual([
      { sealed: null },
      { sealed: 'new(1/b:x)' },
      { sealed: 'old(2/c:x)' },
      { sealed: 'new(1/d:x)' },
    ]);
  });

  it('never undoes a change that is made meanwhile', async () => {
    await db.query(`insert into secrets values (1, 'a', 'old(1/a:before)')`);
    const change = () => db.query(`update secrets set sealed = 'new(1/a:after)'`);
    expect(await runOnce(change)).toEqual({ renewed: 0, unreadable: 0 });
    expect(await db.query('select sealed from secrets')).toEqual([{ sealed: 'new(1/a:after)' }]);
  });
});
