import { AsyncLocalStorage } from 'node:async_hooks';
import { eventually, type TestDatabase } from '@canvass/testing';
import { createDatabase, observePool, type Database } from '../src';
import { emptyDatabase } from './empty-database';

const owner = new AsyncLocalStorage<string>();
let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await emptyDatabase();
  db = createDatabase({ Url: database.url, PoolMax: 10 }, { ownerOf: () => owner.getStore() });
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

/** Calls that hold a connection until they are ended. */
class Calls {
  readonly running: (() => void)[] = [];
  readonly results: Promise<void>[] = [];
  private ended = 0;

  constructor(readonly name: string | undefined) {}

  start(count: number): void {
    for (let n = 0; n < count; n += 1) {
      const call = () => db.withClient(() => new Promise<void>((end) => void this.running.push(end)));
      this.results.push(this.name === undefined ? call() : owner.run(this.name, call));
    }
  }

  async have(count: number): Promise<void> {
    await eventually(() => expect(this.running).toHaveLength(count));
  }

  /** The call that has held its connection for longest ends. */
  endOne(): void {
    this.ended += 1;
    this.running.shift()!();
  }

  async endAll(): Promise<void> {
    while (this.ended < this.results.length) {
      await eventually(() => expect(this.running.length).toBeGreaterThan(0));
      while (this.running.length > 0) this.endOne();
    }
    await Promise.all(this.results);
  }
}

describe('tenants that share the connections of a pool', () => {
  it('leave a fifth to others, which get them at once', async () => {
    const [a, b] = [new Calls('a'), new Calls('b')];
    a.start(20);
    await a.have(8);
    b.start(2);
    await b.have(2);
    expect(a.running).toHaveLength(8);
    await Promise.all([a.endAll(), b.endAll()]);
  });

  it('get half each when both wait, in whatever order they came', async () => {
    const [a, b] = [new Calls('a'), new Calls('b')];
    a.start(20);
    await a.have(8);
    b.start(20);
    await b.have(2);
    for (let ended = 1; ended <= 3; ended += 1) {
      a.endOne();
      await b.have(2 + ended);
    }
    expect([a.running.length, b.running.length]).toEqual([5, 5]);
    a.endOne(); // from now on each gets what it gives back
    await a.have(5);
    expect([a.running.length, b.running.length]).toEqual([5, 5]);
    await Promise.all([a.endAll(), b.endAll()]);
  });

  it('do not keep the process itself from its work', async () => {
    const [a, own] = [new Calls('a'), new Calls(undefined)];
    a.start(20);
    await a.have(8);
    own.start(2);
    await own.have(2);
    await Promise.all([a.endAll(), own.endAll()]);
  });

  it('count as waiting, and give their share back after failures', async () => {
    const read = new Map<string, () => number | Promise<number>>();
    observePool({ gauge: ({ name, collect }) => read.set(name, collect) }, db);
    const a = new Calls('a');
    a.start(9);
    await a.have(8);
    expect(await read.get('database_pool_waiting')!()).toBe(1);
    await a.endAll();
    expect(await read.get('database_pool_waiting')!()).toBe(0);
    const failed = Array.from({ length: 30 }, () => owner.run('a', () => db.query('select 1 / 0')));
    for (const { status } of await Promise.allSettled(failed)) expect(status).toBe('rejected');
    const again = new Calls('a');
    again.start(8);
    await again.have(8);
    await again.endAll();
  });
});
