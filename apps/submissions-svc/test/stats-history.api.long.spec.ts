import { createRandom, type Random } from '@canvass/testing';
import { startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { byToken, pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { begin, anonymous } = submissionCalls(() => test);
const firstDay = Date.parse('2026-10-20T00:00:00Z');
const dayMs = 86_400_000;
const days = 12;

/** A submission as the list of its form has it. */
interface Listed {
  id: string;
  createdAt: string;
  completedAt: string | null;
  collectionStatus: string;
}

/** All submissions of a form that are not deleted, read page by page. */
async function listed(tenant: Tenant, formId: string): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let after = ''; ;) {
    const { body } = await tenant
      .as('Viewer')
      .get<{ items: Listed[]; next: string | null }>(`${pathOf(formId)}?limit=20${after}`);
    all.push(...body.items);
    if (body.next === null) return all;
    after = `&after=${body.next}`;
  }
}

const timeWithin = (random: Random) =>
  new Date(firstDay + Math.floor(random.next() * days * dayMs)).toISOString();

/**
 * Creates, completes, screens out, moves in time, deletes and restores submissions of some forms at
 * random.
 */
async function live(tenant: Tenant, forms: readonly string[], random: Random, steps: number): Promise<void> {
  const known: { formId: string; id: string; token: string }[] = [];
  for (let step = 0; step < steps; step += 1) {
    if (known.length < 5 || random.chance(0.5)) {
      const formId = random.pick(forms);
      const body = random.pick([{}, { isComplete: true }, { collectionOutcome: 'screen_out' }]);
      const made: Submission = await begin(formId, body);
      known.push({ formId, id: made['id']!, token: made['token']! });
      await test.db.query('update submissions set created_at = $2::timestamptz where id = $1', [
        made['id'],
        timeWithin(random),
      ]);
      continue;
    }
    const { formId, id, token } = random.pick(known);
    const one = `${pathOf(formId)}/${id}`;
    const acts = [
      () => anonymous().patch(byToken(formId, token), { isComplete: true }),
      () => anonymous().patch(byToken(formId, token), { collectionOutcome: 'screen_out' }),
      () => tenant.admin.delete(one),
      () => tenant.admin.post(`${one}/restore`, {}),
      () =>
        test.db.query(
          'update submissions set completed_at = $2::timestamptz where id = $1 and completed_at is not null',
          [id, timeWithin(random)],
        ),
    ];
    await random.pick(acts)(); // what is not possible now is refused
  }
}

/** The date of a time in a zone. */
const dateIn = (zone: string, time: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(new Date(time));

it.each(['a', 'b', 'c'])('statistics equal a count over the submissions (history %s)', async (seed) => {
  const random = createRandom(seed);
  const [tenant, stranger] = [tenantOf(test), tenantOf(test)];
  const forms = [await tenant.form(), await tenant.form()];
  await live(stranger, [await stranger.form()], createRandom(`${seed} of another tenant`), 15);
  await live(tenant, forms, random, 80);
  const rows = new Map<string, Listed[]>();
  for (const formId of forms) rows.set(formId, await listed(tenant, formId));
  const all = [...rows.values()].flat();
  expect(new Set(all.map(({ collectionStatus }) => collectionStatus)).size).toBeGreaterThan(2);

  for (let n = 0; n < 12; n += 1) {
    const [from, to] = [timeWithin(random), timeWithin(random)].sort() as [string, string];
    const zone = random.pick(['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kolkata']);
    const formId = random.pick(forms);
    const query = new URLSearchParams({ from, to, timeZone: zone });
    const { body } = await tenant.as('Viewer').get<{
      total: number;
      byStatus: Record<string, number>;
      byDay: { date: string; total: number; byStatus: Record<string, number> }[];
    }>(`/api/forms/${formId}/stats?${query}`);
    const within = rows.get(formId)!.filter(({ createdAt }) => createdAt >= from && createdAt < to);
    const countOf = (of: readonly Listed[], status: string) =>
      of.filter(({ collectionStatus }) => collectionStatus === status).length;
    expect([from, to, body.total]).toEqual([from, to, within.length]);
    for (const [status, count] of Object.entries(body.byStatus))
      expect([status, count]).toEqual([status, countOf(within, status)]);
    for (const { date, total, byStatus } of body.byDay) {
      const ofDay = within.filter(({ createdAt }) => dateIn(zone, createdAt) === date);
      expect([zone, date, total]).toEqual([zone, date, ofDay.length]);
      for (const [status, count] of Object.entries(byStatus))
        expect([date, status, count]).toEqual([date, status, countOf(ofDay, status)]);
    }
  }

  for (const [bucket, ms] of [
    ['1h', 3_600_000],
    ['1d', dayMs],
  ] as const) {
    const query = new URLSearchParams({
      bucket,
      from: new Date(firstDay).toISOString(),
      to: new Date(firstDay + days * dayMs).toISOString(),
    });
    const { body } = await tenant.as('Viewer').get<{
      buckets: { start: string; started: number; completed: number; screenedOut: number }[];
    }>(`/api/stats/overview?${query}`);
    for (const { start, ...counts } of body.buckets) {
      const isIn = (time: string | null) =>
        time !== null && Date.parse(time) >= Date.parse(start) && Date.parse(time) < Date.parse(start) + ms;
      const started = all.filter(({ createdAt }) => isIn(createdAt));
      expect([start, counts]).toEqual([
        start,
        {
          started: started.length,
          completed: all.filter(({ completedAt }) => isIn(completedAt)).length,
          screenedOut: started.filter(({ collectionStatus }) => collectionStatus === 'screen_out').length,
        },
      ]);
    }
    expect(body.buckets.length).toBe((days * dayMs) / ms);
  }
});
