import { createDatabase } from '@canvass/postgres';
import { sendUses } from '../src/quotas/uses.sql';
import { startHarness, tenantOf, type Harness } from './harness';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

/** Postgres decides after five calls. */
const calls = 7;

it('the statement of each create that counts uses is not planned again at every call', async () => {
  const formId = await tenantOf(test).form();
  const db = createDatabase({ Url: test.databaseUrl, PoolMax: 1 });
  for (let n = 0; n < calls; n += 1)
    await db.query(sendUses({ formIds: [formId], creates: [1], anonymous: [0], bytes: [10] }));
  const plans = await db.query(
    `select generic_plans > 0 as keeps from pg_prepared_statements where name = 'quotas_send_uses'`,
  );
  await db.close();
  expect(plans).toEqual([{ keeps: true }]);
});
