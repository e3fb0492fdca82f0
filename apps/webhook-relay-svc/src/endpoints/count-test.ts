import { Problem } from '@canvass/errors';
import { statement, type Queryable } from '@canvass/postgres';

/** Most tests of a tenant in an hour: each goes to a host or to addresses that the caller names. */
export const testsPerHour = { alerts: 10, endpoint: 60 } as const;

type TestKind = keyof typeof testsPerHour;

const countOne = statement<{ tenantId: string; kind: TestKind }, { tests: number; secondsLeft: number }>(
  'count_test',
  `insert into test_counts as c (tenant_id, kind, since, tests) values ($tenantId, $kind, now(), 1)
   on conflict (tenant_id, kind) do update set
     tests = case when c.since > now() - interval '1 hour' then c.tests + 1 else 1 end,
     since = case when c.since > now() - interval '1 hour' then c.since else now() end
   returning tests, ceil(extract(epoch from since + interval '1 hour' - now()))::integer as "secondsLeft"`,
);

/**
 * Counts a test of the tenant.
 *
 * @throws {Problem} `too_many_requests` after the last one of the hour
 */
export async function countTest(db: Queryable, tenantId: string, kind: TestKind): Promise<void> {
  const [{ tests, secondsLeft } = { tests: 0, secondsLeft: 0 }] = await db.query(
    countOne({ tenantId, kind }),
  );
  if (tests > testsPerHour[kind])
    throw new Problem('too_many_requests', {
      detail: `There were too many tests; try again in ${secondsLeft} s.`,
      headers: { 'Retry-After': String(secondsLeft) },
    });
}
