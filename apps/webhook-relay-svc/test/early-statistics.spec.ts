import { randomUUID } from 'node:crypto';
import { createDatabase, migrate, type Database } from '@canvass/postgres';
import { testDatabase, type TestDatabase } from '@canvass/testing';
import { migrations } from '../migrations';
import { openDatabase } from '../src/open-database';
import { fanOutMessages } from '../src/pipeline/fan-out.sql';
import { pagesOf } from './pages';

const [forms, endpointsOfForm, events] = [100, 20, 20];
/** A search by key reads 3 or 4 pages; one of all endpoints of the tenant reads more than 200. */
const maxPages = 60;

let database: TestDatabase;
let admin: Database;
let db: Database;
beforeAll(async () => {
  database = await testDatabase({
    migrations,
    schema: 'webhooks',
    prepare: async (url) => void (await migrate(url, migrations)),
  });
  admin = createDatabase({ Url: database.url, PoolMax: 1 });
  db = openDatabase({ Url: database.url, PoolMax: 1 });
});
afterAll(async () => {
  await db.close();
  await admin.close();
  await database.drop();
});

/** Stores settings with endpoints of forms `from` and up, of tenant 1. */
async function addForms(from: number, count: number, endpoints: number): Promise<void> {
  const ofForms = 'from generate_series($1::bigint, $1::bigint + $2::bigint - 1) f';
  const ofEndpoints = `${ofForms}, generate_series(1, $3::bigint) e`;
  for (const table of ['settings_versions', 'settings_current']) {
    await admin.query(
      `insert into ${table} (tenant_id, scope, scope_id, version) select 1, 'form', f, 1 ${ofForms}`,
      [from, count],
    );
  }
  await admin.query(
    `insert into endpoints (tenant_id, id, scope, scope_id, url)
     select 1, f * 100 + e, 'form', f, 'http://127.0.0.1:9/' || e ${ofEndpoints}`,
    [from, count, endpoints],
  );
  await admin.query(
    `insert into settings_targets (tenant_id, scope, scope_id, version, event_name, endpoint_id, is_enabled, url)
     select 1, 'form', f, 1, 'submission_completed', f * 100 + e, true, 'http://127.0.0.1:9/' || e ${ofEndpoints}`,
    [from, count, endpoints],
  );
}

let lastId = 0;
/** The events of one fan-out: one of each of some forms. */
function eventsOfForms() {
  const ids = Array.from({ length: events }, () => String((lastId += 1)));
  const each = <T>(value: T): T[] => ids.map(() => value);
  const formIds = ids.map((_, n) => String(2 + n));
  return {
    ids,
    tenantIds: each('1'),
    eventNames: each('submission_completed' as const),
    entities: each('submission' as const),
    actions: each('updated' as const),
    bodies: Buffer.alloc(2 * events, '{}'),
    sizes: each(2),
    traceparents: each('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'),
    occurredAt: each(new Date().toISOString()),
    entityIds: ids,
    formIds,
    scopes: each('form' as const),
    scopeIds: formIds,
    versions: each('1'),
  };
}

it('a fan-out finds endpoints by key with statistics from when the tenant had one', async () => {
  for (const table of ['endpoints', 'settings_targets', 'settings_current', 'settings_versions', 'waiting'])
    await admin.query(`alter table ${table} set (autovacuum_enabled = false)`);
  await addForms(1, 1, 1);
  await admin.query('analyze');
  await addForms(2, forms, endpointsOfForm);
  const reserved = { lease: randomUUID(), seconds: 30, room: 100, share: 50, tenants: [], used: [] };
  // More than five times: from then on a session keeps one plan for all values.
  for (let round = 0; round < 8; round += 1) {
    let made = 0;
    const pages = await pagesOf(db, '^(endpoints|settings_|waiting)', async () => {
      const params = {
        ...eventsOfForms(),
        ...reserved,
        leftOut: [],
        leftOutOf: [],
        leadSeconds: 0,
        sweepAfterSeconds: 5,
      };
      made = (await db.query(fanOutMessages(params))).length;
    });
    expect(made).toBe(events * endpointsOfForm);
    expect([round, pages / made < maxPages]).toEqual([round, true]);
  }
});
