import { eventually } from '@canvass/testing';
import { startHarness, tenantOf, type Reply, type Tenant, type Harness } from './harness';
import { byToken, pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness({ poolMax: 10 });
});
afterAll(() => test.close());

const { anonymous } = submissionCalls(() => test);

const waitingForLocks = async () =>
  (
    await test.db.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length;

const lockForm = 'select from forms where id = $1 for update';

describe('fifty creates of one tenant that wait for its form', () => {
  it.each([
    ['by known respondents', (tenant: Tenant) => tenant.user()],
    ['by anonymous respondents', () => anonymous()],
  ])('%s leave connections to other tenants', async (_, callerOf) => {
    const tenant = tenantOf(test);
    const path = pathOf(await tenant.form());
    const formId = path.split('/')[3]!;
    const other = tenantOf(test);
    const otherPath = pathOf(await other.form());
    const { blocked, whileBlocked } = await test.db.transaction(async (tx) => {
      await tx.query(lockForm, [formId]);
      const creates = Array.from({ length: 50 }, () => callerOf(tenant).post(path, {}));
      await eventually(async () => expect(await waitingForLocks()).toBeGreaterThanOrEqual(5));
      const answers: Reply[] = [];
      for (const caller of [anonymous(), other.user(), other.external()])
        answers.push(await caller.post(otherPath, {}));
      answers.push(await other.admin.get(otherPath));
      expect(await waitingForLocks()).toBeGreaterThanOrEqual(5);
      return { blocked: creates, whileBlocked: answers };
    });
    expect(whileBlocked.map(({ status }) => status)).toEqual([201, 201, 201, 200]);
    const statuses = (await Promise.all(blocked)).map(({ status }) => status);
    // One that waited too long is refused; none is lost.
    expect(statuses.filter((status) => status !== 503)).not.toEqual([]);
    const [row] = await test.db.query<{ stored: number }>(
      'select count(*)::int as stored from submissions where form_id = $1',
      [formId],
    );
    expect(row!.stored).toBe(statuses.filter((status) => status === 201).length);
  });
});

describe('lists that may read all submissions of a form', () => {
  it.each(['filter=jsonData:x', 'search=x', 'sortBy=modifiedAt', 'from=2026-01-01'])(
    'run two at a time for a tenant, beside those of others: %s',
    async (query) => {
      const [tenant, other] = [tenantOf(test), tenantOf(test)];
      const [path, otherPath] = [pathOf(await tenant.form()), pathOf(await other.form())];
      const { lists } = await test.db.transaction(async (tx) => {
        await tx.query('lock table submissions in access exclusive mode'); // each takes until the commit
        const lists = Array.from({ length: 6 }, () => tenant.admin.get(`${path}?${query}`));
        await eventually(async () => expect(await waitingForLocks()).toBe(2));
        lists.push(other.admin.get(`${otherPath}?${query}`));
        await eventually(async () => expect(await waitingForLocks()).toBe(3));
        return { lists };
      });
      expect((await Promise.all(lists)).map(({ status }) => status)).toEqual(lists.map(() => 200));
    },
  );
});

describe('a request that waits for a lock', () => {
  let impatient: Harness;
  beforeAll(async () => {
    impatient = await startHarness({ submissions: { LockTimeoutMs: 100 } });
  });
  afterAll(() => impatient.close());

  it('is refused after LockTimeoutMs with a 503 and Retry-After, and can be repeated', async () => {
    const tenant = tenantOf(impatient);
    const formId = await tenant.form();
    const path = pathOf(formId);
    const begun = await tenant.user().post<Submission>(path, {});
    const calls = [
      () => tenant.user().post(path, {}),
      () => tenant.user().post(path, {}, { 'idempotency-key': formId }),
      () => tenant.user().patch(byToken(formId, begun.body['token']), { jsonData: '{"a":1}' }),
      () => tenant.admin.patch(`${path}/${begun.body['id']}`, { jsonData: '{"a":2}' }),
    ];
    const refused = await impatient.db.transaction(async (tx) => {
      await tx.query(lockForm, [formId]);
      await tx.query('select from submissions where form_id = $1 for update', [formId]);
      return Promise.all(calls.map((call) => call()));
    });
    for (const { status, body, headers } of refused) {
      expect([status, body['errorCode']]).toEqual([503, 'service_unavailable']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    for (const call of calls) expect([200, 201]).toContain((await call()).status);
  });
});

describe('turning the gate on', () => {
  /** A row as a create of this respondent makes it, with the id of now or a given one. */
  const insert = `insert into submissions (tenant_id, id, form_id, is_complete, is_test_submission, current_page, json_data,
      metadata, collection_status, submitter_id)
    select tenant_id, coalesce($2::bigint, next_id()), $1, false, false, 0, '{}', '{}', 'in_progress', id
    from submitters where tenant_id = $3`;

  const gateOn = (tenant: Tenant, formId: string) =>
    tenant.admin.patch<{ errorCode?: string; duplicateSubmissions?: number }>(`/api/forms/${formId}`, {
      limitOnePerUser: true,
    });

  it('counts the submissions before it locks the form', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await tenant.user().post(pathOf(formId), {});
    const { change } = await test.db.transaction(async (tx) => {
      await tx.query('lock table submissions in access exclusive mode'); // the count takes as long
      const change = gateOn(tenant, formId);
      await eventually(async () => expect(await waitingForLocks()).toBe(1));
      await tx.query('select from forms where id = $1 for key share nowait', [formId]);
      return { change };
    });
    expect((await change).status).toBe(200);
  });

  it.each([
    ['two that are as new', [null, null]],
    ['an old and a new one', ['1', null]],
  ])('finds duplicates that are created after the count: %s', async (_, newIds) => {
    const tenant = tenantOf(test);
    await tenant.user().post(pathOf(await tenant.form()), {}); // makes the respondent
    const formId = await tenant.form();
    for (const old of newIds.filter((id) => id !== null))
      await test.db.query(insert, [formId, old, tenant.id]);
    const { change } = await test.db.transaction(async (tx) => {
      await tx.query('select from forms where id = $1 for key share', [formId]); // a create in progress
      const change = gateOn(tenant, formId);
      await eventually(async () => expect(await waitingForLocks()).toBe(1));
      for (const id of newIds.filter((id) => id === null)) await tx.query(insert, [formId, id, tenant.id]);
      return { change };
    });
    const { status, body } = await change;
    expect([status, body.errorCode, body.duplicateSubmissions]).toEqual([409, 'duplicate_submissions', 2]);
  });
});
