import { startHarness, tenantOf, type Tenant, type Harness } from './harness';
import { pathOf, type Submission } from './submission-calls';

/**
 * The gate and rows of before submitters: what the specification says of legacy keys, and why there is a
 * backfill.
 */
let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const gated = async (tenant: Tenant) => tenant.form({ limitOnePerUser: true });

/** A row as the former version left it. */
async function legacyRow(
  tenant: Tenant,
  formId: string,
  members: { submitterId?: string; key?: string } = {},
) {
  const key = members.key ?? `SingleSubmission:Form:${formId}:User:42`;
  const [row] = await test.db.query<{ id: string }>(
    `insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
       collection_status, submitted_by, restriction_key, submitter_id)
     values ($1, $2, false, false, 0, '{}', '{}', 'in_progress', '42', $3, $4) returning id`,
    [tenant.id, formId, key, members.submitterId ?? null],
  );
  return row!.id;
}

const keyOf = async (id: string) =>
  (
    await test.db.query<{ key: string }>('select restriction_key as key from submissions where id = $1', [id])
  )[0]!.key;

it('a legacy key does not collide with one of the current shape, and is not rewritten by answering', async () => {
  const tenant = tenantOf(test);
  const formId = await gated(tenant);
  const legacy = await legacyRow(tenant, formId);
  const user = tenant.user({ sub: '42' });
  const second = await user.post<Submission>(pathOf(formId), {});
  expect(second.status).toBe(201);
  expect(await keyOf(legacy)).toBe(`SingleSubmission:Form:${formId}:User:42`);
  expect(await keyOf(second.body['id']!)).toBe(
    `SingleSubmission:Form:${formId}:Submitter:${second.body['submitterId']}`,
  );
});

it('the fast path sees a row once it names its submitter, whatever the shape of its key', async () => {
  const tenant = tenantOf(test);
  const formId = await gated(tenant);
  const user = tenant.user({ sub: '42' });
  const { body } = await user.post<Submission>(pathOf(await tenant.form()), {});
  const linked = await legacyRow(tenant, formId, { submitterId: body['submitterId']! });
  const resumed = await user.post<Submission>(pathOf(formId), {});
  expect([resumed.status, resumed.body['id']]).toEqual([200, linked]);
});

it('the unique index refuses an identical key and only that: of the tenant, not deleted, to the letter', async () => {
  const [tenant, other] = [tenantOf(test), tenantOf(test)];
  const [formId, otherForm] = [await gated(tenant), await gated(other)];
  const key = `SingleSubmission:Form:${formId}:User:42`;
  await legacyRow(tenant, formId, { key });
  await expect(legacyRow(tenant, formId, { key })).rejects.toMatchObject({
    code: '23505',
    constraint: expect.stringMatching(/^submissions_restriction_key(_p\d+)?$/) as string,
  });
  await legacyRow(tenant, formId, { key: key.toLowerCase() });
  await legacyRow(tenant, formId, { key: `${key} ` });
  await legacyRow(other, otherForm, { key });
  await test.db.query('update submissions set deleted_at = now() where tenant_id = $1', [tenant.id]);
  await legacyRow(tenant, formId, { key });
});

it('test submissions hold no key, however many there are', async () => {
  const tenant = tenantOf(test);
  const formId = await gated(tenant);
  const made = [
    await tenant.admin.post<Submission>(pathOf(formId), {}),
    await tenant.admin.post<Submission>(pathOf(formId), {}),
  ];
  for (const { status, body } of made) {
    expect([status, await keyOf(body['id']!)]).toEqual([201, null]);
  }
});
