import type { Database } from '@canvass/postgres';
import type { DeliveryFilter } from '../src/log/delivery-filter';
import { readDeliveries } from '../src/log/read-deliveries';
import { openDatabase } from '../src/open-database';
import { newId, startHarness, type Harness } from './harness';
import { pagesOf } from './pages';

const delivered = 20_000;
const tenantId = newId();
let world: Harness;
let db: Database;
beforeAll(async () => {
  world = await startHarness();
  await world.db.query(
    `insert into deliveries (tenant_id, id, message_id, endpoint_id, event_name, entity_id, occurred_at, created_at, status,
       attempt_count, last_outcome, last_status_code, attempts)
     select $1, n, 1, 1, 'form_updated', 1, now(), now(), case when n % 1000 = 0 then 'dead' else 'delivered' end,
       case when n % 1000 = 0 then 5 else 1 end, case when n % 1000 = 0 then 'http_5xx' else 'success' end,
       case when n % 1000 = 0 then 503 else 200 end, '{}'
     from generate_series(1, $2::integer) n`,
    [tenantId, delivered],
  );
  await world.db.query('vacuum (analyze) deliveries');
  db = openDatabase({ Url: world.database.url, PoolMax: 1 });
});
afterAll(async () => {
  await db.close();
  await world.close();
});

it.each<[string, DeliveryFilter, number]>([
  ['an event without deliveries', { eventName: 'form_created' }, 0],
  ['an outcome without deliveries', { outcome: ['tls_error'] }, 0],
  ['an HTTP status without deliveries', { statusCode: '404' }, 0],
  ['more attempts than any delivery has', { minAttempts: 100 }, 0],
  ['a status without deliveries', { status: ['pending'] }, 0],
  ['several attempts', { minAttempts: 5 }, 20],
  ['HTTP statuses of servers', { statusCode: '500-599' }, 20],
])('a list by %s reads few pages of the log', async (_, filter, count) => {
  let found = -1;
  const pages = await pagesOf(db, '^deliveries', async () => {
    const page = await readDeliveries(db, { tenantId, ...filter }, { limit: 50, total: 'none' });
    found = page.items.length;
  });
  expect(found).toBe(count);
  expect(pages).toBeLessThan(100);
});
