import { forgeries } from './forging';
import { rawRequest } from './forging/raw-request';
import { forgersWorld, type World } from './forging/world';
import { startHarness, type Harness } from './harness';

/**
 * Sends each forgery to the real service and then checks the tables. The boss's record and submission must be
 * unchanged, no response may reveal them, and what the forgery created must belong to its sender.
 */
let test: Harness;
let world: World;
beforeAll(async () => {
  test = await startHarness({ submitter: { ProfileSnapshotFields: ['department'] } });
  world = await forgersWorld(test);
});
afterAll(() => test.close());

/** Everything that is stored of the boss and of the other tenant. */
const untouchable = () =>
  test.db.query(
    `select to_json(s) as submitter, to_json(a) as submission from submitters s
     left join submissions a on a.submitter_id = s.id where s.id = $1 or s.tenant_id = $2 order by s.id`,
    [world.boss.submitterId, world.other.tenantId],
  );

/** The submitters of the new form in every column that can identify one. */
const named = (formId: string) =>
  test.db.query<{
    id: string | null;
    subject: string | null;
    appUserId: string | null;
    tenantId: string | null;
    rest: unknown[];
  }>(
    `select a.submitter_id as id, s.external_subject_id as subject, s.app_user_id as "appUserId", s.tenant_id as "tenantId",
       array[a.submitter_display_id, a.submitter_profile_snapshot::text, a.submitted_by, a.restriction_key] as rest
     from submissions a left join submitters s on s.tenant_id = a.tenant_id and s.id = a.submitter_id
     where a.form_id = $1 and not a.is_test_submission`,
    [formId],
  );

it('knows at least forty forgeries, each by a name of its own', () => {
  const names = new Set(forgeries.map(([name]) => name));
  expect(names.size).toBe(forgeries.length);
  expect(names.size).toBeGreaterThanOrEqual(40);
});

it.each(forgeries)('%s neither sets nor shows another submitter', async (_name, forge) => {
  const formId = await world.newForm();
  const before = await untouchable();
  const {
    method = 'POST',
    path = `/api/forms/${formId}/submissions`,
    bearer,
    headers = [],
    body,
    status,
    becomes,
  } = forge(world, formId);
  const reply = await rawRequest(
    test.service.url,
    method,
    path,
    [...(bearer === undefined ? [] : [['Authorization', `Bearer ${bearer}`] as const]), ...headers],
    body === undefined ? undefined : JSON.stringify(body),
  );

  expect({ status: reply.status, text: reply.text }).toEqual({ status, text: expect.any(String) });
  const sent = path + JSON.stringify(body);
  for (const secret of [world.boss.submitterId, 'The Boss', 'Board', world.boss.submissionToken]) {
    // What she sent herself she may read again.
    if (!sent.includes(secret)) expect(reply.text).not.toContain(secret);
  }
  expect(await untouchable()).toEqual(before);

  const rows = await named(formId);
  expect(rows).toHaveLength(becomes === undefined ? 0 : 1);
  const [row] = rows;
  if (becomes === null) expect(row).toMatchObject({ id: null, rest: [null, null, null, null] });
  if (typeof becomes === 'string') {
    expect(row).toMatchObject({
      tenantId: world.tenantId,
      rest: expect.arrayContaining([row!.id]) as unknown,
    });
    expect(row!.id).not.toBe(world.boss.submitterId);
    if (becomes === 'mallory') expect(row).toMatchObject({ subject: '666', appUserId: '666' });
  }
});
