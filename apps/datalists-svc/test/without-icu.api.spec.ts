import { Client } from 'pg';
import { startHarness, type Harness } from './harness';

/** A database as a Postgres that was built without ICU makes it: no collation of any language. */
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
  const admin = new Client({ connectionString: harness.database.adminUrl });
  await admin.connect();
  const { rowCount } = await admin.query(`delete from pg_collation where collprovider = 'i'`);
  await admin.end();
  expect(rowCount).toBeGreaterThan(0);
});
afterAll(() => harness.close());

it('labels are sorted by code point, and found as they are with ICU', async () => {
  const admin = harness.newTenant();
  const { id } = await admin.createList({ defaultLocale: 'de', availableLocales: ['sv'] });
  const names = ['zack', 'Öl', 'Zebra', 'Ahr', 'ol'];
  const items = names.map((name) => ({ value: name, labels: { default: name, sv: name } }));
  expect((await admin.importItems(id, items)).status).toBe(200);
  const labels = async (query: Record<string, string>) =>
    (await admin.find(id, query)).items.map((item) => item.labels['default']);
  for (const query of [{}, { locale: 'sv' }, { locale: 'de' }]) {
    expect(await labels(query)).toEqual(['Ahr', 'Zebra', 'ol', 'zack', 'Öl']);
  }
  expect(await labels({ query: 'OL' })).toEqual(['ol', 'Öl']);
});
