import { idAt, type Database } from '@canvass/postgres';
import { readDeliveries } from '../src/log/read-deliveries';
import { openDatabase } from '../src/open-database';
import { newId, startHarness, type Harness } from './harness';

const count = 12_000;
/** Numbers of the deliveries whose message has the text, counted from the oldest. */
const matching = [6_500, 6_501, 11_900];
const tenantId = newId();
let world: Harness;
let db: Database;
beforeAll(async () => {
  world = await startHarness();
  const first = idAt(new Date());
  await world.db.query(
    `insert into messages (tenant_id, id, event_name, entity, action, body, occurred_at)
     select $1, n, 'form_updated', 'form', 'updated',
       convert_to(case when n = any ($3::integer[]) then '{"order":"A-7"}' else '{"order":"B-1"}' end, 'UTF8'), now()
     from generate_series(1, $2::integer) n`,
    [tenantId, count, matching],
  );
  await world.db.query(
    `insert into deliveries (tenant_id, id, message_id, endpoint_id, event_name, entity_id, occurred_at, created_at, status,
       attempt_count, last_outcome, last_status_code, attempts)
     select $1, $3::bigint + n, n, 1, 'form_updated', 1, now(), now(), 'delivered', 1, 'success', 200, '{}'
     from generate_series(1, $2::integer) n`,
    [tenantId, count, first],
  );
  db = openDatabase({ Url: world.database.url, PoolMax: 1 });
});
afterAll(async () => {
  await db.close();
  await world.close();
});

it('pages with a text have matches as long as matches follow, in both directions', async () => {
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const read = async (cursor: { after?: string; before?: string }) => {
    const filter = { tenantId, from, text: 'A-7' };
    return readDeliveries(db, filter, { limit: 2, total: 'none', ...cursor });
  };
  const forward = [await read({})];
  for (let { next } = forward[0]!; next !== null; next = forward.at(-1)!.next)
    forward.push(await read({ after: next }));
  const backward: typeof forward = [];
  for (let { previous } = forward.at(-1)!; previous !== null; previous = backward[0]!.previous)
    backward.unshift(await read({ before: previous }));
  const numbers = (pages: typeof forward) =>
    pages.flatMap(({ items }) => items.map(({ messageId }) => Number(messageId)));
  expect(numbers(forward)).toEqual([11_900, 6_501, 6_500]);
  expect(numbers(backward)).toEqual([11_900, 6_501]);
  expect(forward.map(({ items }) => items.length)).toEqual([2, 1]);
});
