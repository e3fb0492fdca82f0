import { startHarness, tenantOf, type Tenant, type Harness } from './harness';
import { pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { begin } = submissionCalls(() => test);

interface Counts {
  total: number;
  byStatus: Record<string, number>;
}
interface Stats extends Counts {
  formId: string;
  from: string;
  to: string;
  timeZone: string;
  byDay: (Counts & { date: string })[];
}

const statsOf = (tenant: Tenant, formId: string, query: Record<string, string> = {}, headers = {}) =>
  tenant
    .as('Viewer')
    .get<Stats>(`/api/forms/${formId}/stats?${new URLSearchParams(query).toString()}`, headers);

const none = { not_started: 0, in_progress: 0, complete: 0, screen_out: 0 };

/** Begins a submission and moves its creation. Its id keeps the present time. */
async function createdAt(time: string, formId: string, body = {}): Promise<Submission> {
  const made = await begin(formId, body);
  await test.db.query('update submissions set created_at = $2::timestamptz where id = $1', [
    made['id'],
    time,
  ]);
  return made;
}

/** The dates of the days with submissions, with their numbers. */
const busyDays = ({ byDay }: Stats) =>
  byDay.flatMap(({ date, total }) => (total === 0 ? [] : [[date, total]]));

describe('GET /api/forms/{formId}/stats', () => {
  it('counts submissions by collection status and by day, with zeros', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await createdAt('2026-11-02T00:00:00Z', formId);
    await createdAt('2026-11-02T23:59:59.999Z', formId, { isComplete: true });
    await createdAt('2026-11-04T12:00:00Z', formId, { collectionOutcome: 'screen_out' });
    await createdAt('2026-11-04T13:00:00Z', formId);
    const { status, body } = await statsOf(tenant, formId, { from: '2026-11-02', to: '2026-11-05' });
    expect([status, body]).toEqual([
      200,
      {
        formId,
        from: '2026-11-02T00:00:00.000Z',
        to: '2026-11-05T00:00:00.000Z',
        timeZone: 'UTC',
        total: 4,
        byStatus: { ...none, in_progress: 2, complete: 1, screen_out: 1 },
        byDay: [
          { date: '2026-11-02', total: 2, byStatus: { ...none, in_progress: 1, complete: 1 } },
          { date: '2026-11-03', total: 0, byStatus: none },
          { date: '2026-11-04', total: 2, byStatus: { ...none, in_progress: 1, screen_out: 1 } },
        ],
      },
    ]);
  });

  it('includes `from` and excludes `to`, and counts partial days', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    for (const time of ['09:59:59.999', '10:00:00', '11:59:59.999', '12:00:00'])
      await createdAt(`2026-11-02T${time}Z`, formId);
    const range = { from: '2026-11-02T10:00:00Z', to: '2026-11-02T12:00:00Z' };
    expect(busyDays((await statsOf(tenant, formId, range)).body)).toEqual([['2026-11-02', 2]]);
  });

  it('counts by `createdAt`, whatever time the id has', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await createdAt('2026-11-02T23:59:59Z', formId);
    const first = await statsOf(tenant, formId, { from: '2026-11-02', to: '2026-11-03' });
    const second = await statsOf(tenant, formId, { from: '2026-11-03', to: '2026-11-04' });
    expect([first.body.total, second.body.total]).toEqual([1, 0]);
  });

  it('counts the last 30 days of the zone by default, today included', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await tenant.admin.post(`${pathOf(formId)}/onbehalf`, {});
    await createdAt(new Date(Date.now() - 40 * 86_400_000).toISOString(), formId);
    const { body } = await statsOf(tenant, formId, { timeZone: 'Asia/Kolkata' });
    expect(body).toMatchObject({ total: 1, byStatus: { ...none, not_started: 1 } });
    expect([body.byDay.length, body.byDay[29]!.total]).toEqual([30, 1]);
    expect([body.from, body.to]).toEqual([
      expect.stringContaining('T18:30:00.000Z'),
      expect.stringContaining('T18:30:00.000Z'),
    ]);
    const { body: before } = await statsOf(tenant, formId, { to: '2026-11-05T01:00:00Z' });
    expect([before.from, before.byDay.length]).toEqual(['2026-10-07T00:00:00.000Z', 30]);
  });

  /** Length of a day, days of the range, and times of submissions with their dates. */
  const clockChanges: [string, string[], [string, string][]][] = [
    [
      '25 hours',
      ['2026-10-23', '2026-10-24', '2026-10-25', '2026-10-26'],
      [
        ['2026-10-24T21:59:59Z', '2026-10-24'],
        ['2026-10-24T22:00:00Z', '2026-10-25'],
        ['2026-10-25T00:30:00Z', '2026-10-25'],
        ['2026-10-25T01:30:00Z', '2026-10-25'],
        ['2026-10-25T22:59:59Z', '2026-10-25'],
        ['2026-10-25T23:00:00Z', '2026-10-26'],
      ],
    ],
    [
      '23 hours',
      ['2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30'],
      [
        ['2026-03-28T22:59:59Z', '2026-03-28'],
        ['2026-03-28T23:00:00Z', '2026-03-29'],
        ['2026-03-29T00:59:59Z', '2026-03-29'],
        ['2026-03-29T01:00:00Z', '2026-03-29'],
        ['2026-03-29T21:59:59Z', '2026-03-29'],
        ['2026-03-29T22:00:00Z', '2026-03-30'],
      ],
    ],
  ];

  it.each(clockChanges)(
    'assigns the submissions of a day of %s in Europe/Berlin',
    async (_, dates, times) => {
      const tenant = tenantOf(test);
      const formId = await tenant.form();
      for (const [time] of times) await createdAt(time, formId);
      const range = { from: `${dates[0]!}T12:00:00Z`, to: `${dates.at(-1)!}T12:00:00Z` };
      const { body } = await statsOf(tenant, formId, { ...range, timeZone: 'Europe/Berlin' });
      expect(body.byDay.map(({ date, total }) => [date, total])).toEqual(
        dates.map((date) => [date, times.filter(([, expected]) => expected === date).length]),
      );
    },
  );

  it('does not count deleted submissions or those of other forms', async () => {
    const tenant = tenantOf(test);
    const [formId, other] = [await tenant.form(), await tenant.form()];
    const { id } = await begin(formId);
    await begin(formId);
    await begin(other);
    await tenant.admin.delete(`${pathOf(formId)}/${id}`);
    expect((await statsOf(tenant, formId)).body.total).toBe(1);
  });

  it('has an ETag that changes with the counts', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const etag = (await statsOf(tenant, formId)).headers.get('etag')!;
    const again = await statsOf(tenant, formId, {}, { 'if-none-match': etag });
    expect([again.status, again.headers.get('etag')]).toEqual([304, etag]);
    await begin(formId);
    expect((await statsOf(tenant, formId, {}, { 'if-none-match': etag })).status).toBe(200);
  });

  it('is a 404 without the form, a 401 without a token and a 403 without the permission', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const path = `/api/forms/${formId}/stats`;
    expect(
      (
        await submissionCalls(() => test)
          .anonymous()
          .get(path)
      ).status,
    ).toBe(401);
    expect((await tenant.user().get(path)).status).toBe(403);
    expect((await statsOf(tenantOf(test), formId)).status).toBe(404);
    await tenant.admin.delete(`/api/forms/${formId}`);
    expect((await statsOf(tenant, formId)).status).toBe(404);
  });

  it('accepts a range of 366 days of the zone, even if they have an hour more', async () => {
    const tenant = tenantOf(test);
    const range = { from: '2025-10-25T00:00:00+02:00', to: '2026-10-26T00:00:00+01:00' };
    const formId = await tenant.form();
    const { status, body } = await statsOf(tenant, formId, { ...range, timeZone: 'Europe/Berlin' });
    expect([status, body.byDay.length]).toEqual([200, 366]);
    expect((await statsOf(tenant, formId, { ...range, timeZone: 'UTC' })).status).toBe(400);
  });

  const invalid: [string, Record<string, string>][] = [
    ['from', { from: 'yesterday' }],
    ['from', { from: '2026-02-30' }],
    ['to', { to: '1e9' }],
    ['from', { from: '2026-11-02', to: '2026-11-02' }],
    ['from', { from: '2026-11-03', to: '2026-11-02' }],
    ['from', { from: '9999-12-31' }],
    ['from', { from: '2025-01-01' }],
    ['from', { from: '0001-01-01', to: '9999-12-31T23:59:59Z' }],
    ['from', { from: '2026-01-01', to: '2027-01-02T00:00:00.001Z' }],
    ['timeZone', { timeZone: '' }],
    ['timeZone', { timeZone: 'Mars/Olympus_Mons' }],
    ['timeZone', { timeZone: 'FOO' }],
    ['timeZone', { timeZone: 'CST' }],
    ['timeZone', { timeZone: '+01:00' }],
    ['timeZone', { timeZone: 'A/B+5' }],
    ['timeZone', { timeZone: "UTC'; select 1" }],
    ['timeZone', { timeZone: 'US/Pacific-New' }],
    ['timezone', { timezone: 'UTC' }],
  ];

  it.each(invalid)('names the invalid field: %s of %j', async (field, query) => {
    const tenant = tenantOf(test);
    const { status, body } = await statsOf(tenant, await tenant.form(), query);
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ errors: { [field]: [expect.any(String)] } }),
    ]);
  });
});

describe('GET /api/stats/overview', () => {
  const overviewOf = (tenant: Tenant, query: string) =>
    tenant.as('Viewer').get<Record<string, unknown>>(`/api/stats/overview?${query}`);

  it('counts started, completed and screened-out submissions of all forms by time', async () => {
    const tenant = tenantOf(test);
    const [first, second] = [await tenant.form(), await tenant.form()];
    const completedAt = async (time: string, { id }: Submission) =>
      test.db.query('update submissions set completed_at = $2::timestamptz where id = $1', [id, time]);
    await createdAt('2026-11-02T10:00:00Z', first);
    await createdAt('2026-11-02T10:59:59.999Z', second, { collectionOutcome: 'screen_out' });
    await completedAt(
      '2026-11-02T12:30:00Z',
      await createdAt('2026-11-02T11:00:00Z', second, { isComplete: true }),
    );
    await completedAt(
      '2026-11-02T12:00:00Z',
      await createdAt('2026-11-01T00:00:00Z', first, { isComplete: true }),
    );
    const removed = await createdAt('2026-11-02T10:30:00Z', first);
    await tenant.admin.delete(`${pathOf(first)}/${removed['id']}`);
    const { status, body } = await overviewOf(
      tenant,
      'bucket=1h&from=2026-11-02T10:05:00Z&to=2026-11-02T12:40:00Z',
    );
    const start = (hour: number) => `2026-11-02T${hour}:00:00.000Z`;
    expect([status, body]).toEqual([
      200,
      {
        from: start(10),
        to: start(13),
        bucket: '1h',
        total: { started: 3, completed: 2, screenedOut: 1 },
        buckets: [
          { start: start(10), started: 2, completed: 0, screenedOut: 1 },
          { start: start(11), started: 1, completed: 0, screenedOut: 0 },
          { start: start(12), started: 0, completed: 2, screenedOut: 0 },
        ],
      },
    ]);
    const days = await overviewOf(tenant, 'bucket=1d&from=2026-11-01&to=2026-11-03');
    expect(days.body).toMatchObject({ total: { started: 4, completed: 2, screenedOut: 1 } });
    const other = await overviewOf(tenantOf(test), 'bucket=1d&from=2026-11-01&to=2026-11-03');
    expect(other.body).toMatchObject({ total: { started: 0, completed: 0, screenedOut: 0 } });
  });

  it('has sixty buckets up to now by default', async () => {
    const tenant = tenantOf(test);
    await begin(await tenant.form());
    const { body } = await overviewOf(tenant, '');
    expect(body).toMatchObject({ bucket: '1h', total: { started: 1 } });
    expect(body['buckets']).toHaveLength(60);
  });

  it.each([
    ['bucket', 'bucket=2m'],
    ['bucket', 'bucket=1m&from=2026-11-01&to=2026-11-02'],
    ['to', 'from=2026-11-02&to=2026-11-02'],
    ['from', 'from=2126-11-02'],
  ])('names %s for %s', async (name, query) => {
    const { status, body } = await overviewOf(tenantOf(test), query);
    expect([status, body]).toMatchObject([400, { errors: { [name]: [expect.any(String)] } }]);
  });
});
