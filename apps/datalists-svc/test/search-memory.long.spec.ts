import { createDatabase, type Database } from '@canvass/postgres';
import type { TestDatabase } from '@canvass/testing';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createItemSearch, type ItemsVersion } from '../src/search';
import { migratedDatabase, newId } from './harness';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const mebibyte = 2 ** 20;
const languages = Array.from({ length: 30 }, (_, n) => `aa-x${n}`);

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await migratedDatabase();
  db = createDatabase({ Url: database.url, PoolMax: 2 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** A list with labels in all languages. */
async function manyLanguages(): Promise<ItemsVersion> {
  const from = { tenantId: newId(), listId: newId(), version: newId(), count: 10_000 };
  await db.query(
    `insert into items (tenant_id, list_id, version, position, value, labels)
     select $1, $2, $3, n, 'v' || n, (select jsonb_object_agg(key, 'Label ' || n) from unnest($5::text[]) key)
     from generate_series(0, $4::int - 1) n`,
    [from.tenantId, from.listId, from.version, from.count, ['default', ...languages]],
  );
  return from;
}

it('a search holds only as many languages as fit into memory', async () => {
  const from = await manyLanguages();
  let held: number[] = [];
  let asked = 0;
  const query = ((sql, values) => {
    // Sent five times for each language, while languages before it may still be held.
    if (typeof sql !== 'string' && sql.name === 'search-labels' && ++asked % 15 === 0) {
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      held.push(heapUsed + arrayBuffers);
    }
    return db.query(sql, values);
  }) as Database['query'];
  const search = createItemSearch({
    db: { ...db, query },
    memoryBytes: 2 * mebibyte,
  });
  const heldFor = async (included: string[]) => {
    [held, asked] = [[], 0];
    await search.find(from, {
      query: 'label 77',
      matchMode: 'Contains',
      shown: 'default',
      included,
      collation: 'en-x-icu',
      window: { offset: 0, limit: 25 },
    });
    return Math.max(...held);
  };
  const few = await heldFor(languages.slice(0, 2));
  expect(await heldFor(languages)).toBeLessThan(few + 4 * mebibyte);
}, 180_000);
