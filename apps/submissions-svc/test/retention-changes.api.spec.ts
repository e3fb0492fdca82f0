import { changedFormSchema } from '../src/forms/form-body';
import { runRetention } from '../src/retention/run-retention';
import { startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { settings } from './settings-calls';
import { pathOf, submissionCalls } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { begin } = submissionCalls(() => test);

const run = () =>
  runRetention({
    db: test.db,
    settings: { DeletedDays: 30, PartialDays: 0, JobDays: 30 },
    signal: new AbortController().signal,
  });

/** Submissions that were created so many days ago. */
async function aged(formId: string, ...days: number[]) {
  for (const count of days) {
    const { id } = await begin(formId, { isComplete: true });
    await test.db.query(
      `update submissions set created_at = created_at - make_interval(days => $2) where id = $1`,
      [id, count],
    );
  }
}

const left = async (tenant: Tenant, formId: string) =>
  (await tenant.admin.get<{ total: number }>(`${pathOf(formId)}?limit=1&total=exact`)).body.total;

/** A day passes for the changed period of a form. */
const nextDay = (formId: string) =>
  test.db.query(
    `update forms set retention_starts_at = retention_starts_at - interval '24 hours' where id = $1`,
    [formId],
  );

describe('a period after which submissions are erased', () => {
  it('is set and shortened by who may erase, and lengthened by who may change the form', async () => {
    const tenant = tenantOf(test);
    const editor = tenant.as('Editor', { sub: '31' });
    const refused = async (reply: Promise<{ status: number; body: Record<string, unknown> }>) => {
      const { status, body } = await reply;
      expect([status, body['detail']]).toEqual([403, expect.stringContaining('Submissions.Erase')]);
    };
    await refused(editor.post('/api/forms', { name: 'x', retentionDays: 1 }));
    const formId = await tenant.form({ retentionDays: 30 });
    const one = `/api/forms/${formId}`;
    await refused(editor.patch(one, { retentionDays: 29 }));
    await refused(editor.put(one, { name: 'x', isEnabled: true, retentionDays: 1, retentionErases: 0 }));
    for (const retentionDays of [30, 31, null])
      expect((await editor.patch(one, { retentionDays })).body).toMatchObject({ retentionDays });
    await refused(editor.patch(one, { retentionDays: 36_500 }));
    expect((await editor.put(one, { name: 'x', isEnabled: true })).status).toBe(200);
    expect((await editor.post('/api/forms', { name: 'x', retentionDays: null })).status).toBe(201);
  });

  it('is shortened by who names the number of submissions that it erases', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ retentionDays: 30 });
    const one = `/api/forms/${formId}`;
    await aged(formId, 1, 8, 9, 10);
    const refused = await tenant.admin.patch(one, { retentionDays: 9 });
    // The one that will be nine days old tomorrow, too.
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining({ errorCode: 'confirmation_required', erases: 3 }),
    ]);
    expect((await tenant.admin.patch(one, { retentionDays: 9, retentionErases: 2 })).status).toBe(409);
    expect((await tenant.admin.patch(one, { retentionErases: -1 })).status).toBe(400);
    expect((await tenant.admin.get(one)).body['retentionDays']).toBe(30);
    const shorter = { retentionDays: 9, retentionErases: 3 };
    expect((await tenant.admin.patch(one, shorter)).body['retentionDays']).toBe(9);
    expect(await run()).toMatchObject({ expired: 0 });
    await nextDay(formId);
    expect(await run()).toMatchObject({ expired: 2 });
    expect(await left(tenant, formId)).toBe(2);
    // Nothing is erased tomorrow, so nothing has to be confirmed.
    expect((await tenant.admin.patch(one, { retentionDays: 30 })).status).toBe(200);
    expect((await tenant.admin.patch(one, { retentionDays: 20 })).status).toBe(200);
  });

  it('has the earlier period until a day after the change, also if it is changed again', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ retentionDays: 30 });
    const change = async (retentionDays: number | null) =>
      expect(
        (await tenant.admin.patch(`/api/forms/${formId}`, { retentionDays, retentionErases: 9 })).status,
      ).toBe(200);
    await aged(formId, 5, 15, 31);
    await change(10);
    expect(await run()).toMatchObject({ expired: 1 });
    await change(20);
    await nextDay(formId);
    expect(await run()).toMatchObject({ expired: 0 });
    await change(10);
    await change(40);
    await nextDay(formId);
    expect(await run()).toMatchObject({ expired: 0 });
    await change(4);
    await change(null);
    await nextDay(formId);
    expect(await run()).toMatchObject({ expired: 0 });
    await change(12);
    await change(14);
    expect(await run()).toMatchObject({ expired: 0 });
    await nextDay(formId);
    expect(await run()).toMatchObject({ expired: 1 });
  });

  it('is named, with who set it, by what it erased', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await aged(formId, 9);
    const headers = { 'x-request-id': 'the-cause-of-it' };
    const change = { retentionDays: 2, retentionErases: 1 };
    expect((await tenant.admin.call('PATCH', `/api/forms/${formId}`, change, headers)).status).toBe(200);
    await tenant.as('Editor', { sub: '31' }).patch(`/api/forms/${formId}`, { name: 'later' });
    await nextDay(formId);
    expect(await run()).toMatchObject({ expired: 1 });
    const rows = await test.db.query<{ after: object; actor_subject: string }>(
      `select actor_subject, after from audit where tenant_id = $1 and action = 'submission.erased'`,
      [tenant.id],
    );
    const [changed] = await test.db.query<{ request_id: string }>(
      `select request_id from audit where tenant_id = $1 and action = 'form.updated' order by id limit 1`,
      [tenant.id],
    );
    const setBy = {
      actor: { provider: 'Service', kind: 'user', subject: '11' },
      requestId: changed!.request_id,
    };
    expect(rows).toEqual([{ actor_subject: 'retention', after: { cause: { retentionDays: 2, setBy } } }]);
  });
});

it('records each member of a form that a change names', async () => {
  const tenant = tenantOf(test);
  const other: Record<string, unknown> = {
    name: 'Another name',
    description: 'Another purpose',
    isEnabled: false,
    isPublic: false,
    limitOnePerUser: true,
    definition: { pages: [] },
    submissionTokenExpiryHours: 3,
    retentionDays: 7,
    opensAt: '2026-01-01T00:00:00.000Z',
    closesAt: '2030-01-01T00:00:00.000Z',
    maxSubmissions: 9,
    answerCheck: 'off',
    slug: `recorded-${process.hrtime.bigint()}`,
    page: { scheme: 'dark' },
    dataListIds: ['4711'],
    webHookSettingsJson: settings({ Url: 'https://public.example/a' }),
  };
  const { keys } = changedFormSchema.describe() as { keys: Record<string, { flags?: { result?: string } }> };
  // Members of the response, which are ignored, and the confirmation, which is no member of a form.
  const members = Object.keys(keys).filter(
    (name) => keys[name]!.flags?.result !== 'strip' && name !== 'retentionErases',
  );
  expect(Object.keys(other).sort()).toEqual(members.sort());
  for (const [name, value] of Object.entries(other)) {
    const formId = await tenant.form();
    expect((await tenant.admin.patch(`/api/forms/${formId}`, { [name]: value })).status).toBe(200);
    const [row] = await test.db.query<{ before: object; after: object }>(
      `select before, after from audit where object_id = $1 and action = 'form.updated'`,
      [formId],
    );
    const recorded = name === 'webHookSettingsJson' ? 'webHookSettings' : name;
    expect([Object.keys(row!.before), Object.keys(row!.after)]).toEqual([[recorded], [recorded]]);
  }
});
