import { createDatabase, type Database } from '@canvass/postgres';
import type { TestDatabase } from '@canvass/testing';
import { beginStaged, dropStaged, linesOf, readItems, removeDiscardedBatch } from '../src/items';
import { copyLines } from '../src/items/write-items.sql';
import { migratedDatabase } from './harness';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await migratedDatabase();
  db = createDatabase({ Url: database.url });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const count = async (table: string) =>
  Number((await db.query<{ count: string }>(`select count(*) from ${table}`))[0]!.count);

describe('discarded versions', () => {
  const batch = Array.from({ length: 50 }, (_, n) => ({ value: `v${n}`, labels: { default: 'L' } }));
  const current = { tenantId: '1', listId: '2', version: '4' };

  it('are deleted after their grace period, and nothing else is', async () => {
    const discarded = { ...current, version: '3' };
    await db.transaction(async (tx) => {
      await copyLines(tx, [linesOf(discarded, 0, batch)]);
      await copyLines(tx, [linesOf(current, 0, batch)]);
      await copyLines(tx, [linesOf({ ...discarded, tenantId: '9' }, 0, batch)]);
      await tx.query('insert into discarded_versions (tenant_id, list_id, version) values (1, 2, 3)');
    });
    expect(await removeDiscardedBatch(db)).toBe(false);
    expect(await count('items')).toBe(150);
    expect(await removeDiscardedBatch(db, 0)).toBe(true);
    expect([await count('items'), await count('discarded_versions')]).toEqual([100, 1]);
    // Only the next look finds that nothing is left.
    expect(await removeDiscardedBatch(db, 0)).toBe(true);
    expect(await removeDiscardedBatch(db, 0)).toBe(false);
    expect([await count('items'), await count('discarded_versions')]).toEqual([100, 0]);
  });

  it('of an import that failed are deleted without a grace period', async () => {
    const staged = await beginStaged(db, { tenantId: '7', listId: '2' });
    const before = await count('items');
    await db.transaction((tx) => copyLines(tx, [linesOf(staged, 0, batch)]));
    expect(await removeDiscardedBatch(db)).toBe(false);
    await dropStaged(db, staged);
    expect(await removeDiscardedBatch(db)).toBe(true);
    expect(await count('items')).toBe(before);
    await removeDiscardedBatch(db);
  });

  it('fail a reading instead of ending it early', async () => {
    const read = async () => {
      for await (const _ of readItems(db, { ...current, version: '3' }, 50));
    };
    await expect(read()).rejects.toThrow('is deleted');
  });
});
