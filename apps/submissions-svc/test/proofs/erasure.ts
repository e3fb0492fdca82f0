/**
 * Erases a respondent with very many submissions, while another tenant creates submissions. The service and
 * the clients are one process. In the place of a broker the proof takes and counts the events.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, prove, type Claim } from '@canvass/testing';
import { startHarness, tenantOf, type Harness, type Tenant } from '../harness';
import { jobsPath, type Job } from '../job-calls';
import { pathOf, type Submission } from '../submission-calls';

const filledAtOnce = 50_000;
/** Of the other tenant, between two creates. In milliseconds. */
const pauseMs = 50;
const mostGrowthMb = 200;
const mb = 1024 * 1024;

/** Makes a respondent with so many submissions in a form. */
async function fill(world: Harness, tenant: Tenant, count: number): Promise<string> {
  const formId = await tenant.form();
  const path = pathOf(formId);
  const { body } = await tenant.external({ sub: 'ada', name: 'Ada' }).post<Submission>(path, {});
  for (let made = 1; made < count; made += filledAtOnce)
    await world.db.query(
      `insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
         collection_status, submitter_id, submitter_display_id)
       select $1, $2, false, false, 0, '{"a":' || n || '}', '{}', 'in_progress', $3, 'Ada' from generate_series(1, $4::integer) n`,
      [tenant.id, formId, body['submitterId'], Math.min(filledAtOnce, count - made)],
    );
  await world.db.query('analyze submissions');
  return body['submitterId']!;
}

/** Takes the events of the outbox, as a dispatcher does, until `until` settles. Returns a number by type. */
async function takeEvents(world: Harness, until: Promise<unknown>): Promise<Map<string, number>> {
  const taken = new Map<string, number>();
  const take = async () => {
    const events = await world.db.query<{ type: string }>(
      `delete from outbox where ctid = any (array(select ctid from outbox limit 5000)) returning event_type as type`,
    );
    for (const { type } of events) taken.set(type, (taken.get(type) ?? 0) + 1);
    return events.length;
  };
  let isOver = false;
  void until.finally(() => (isOver = true));
  while (!isOver) {
    await take();
    await sleep(200);
  }
  while ((await take()) > 0);
  return taken;
}

/** Creates submissions until `until` settles. */
async function createBeside(tenant: Tenant, until: Promise<unknown>) {
  const path = pathOf(await tenant.form());
  const latencies: number[] = [];
  let [failed, isOver] = [0, false];
  void until.finally(() => (isOver = true));
  while (!isOver) {
    const startedAt = performance.now();
    const { status } = await tenant.external().post(path, { jsonData: '{"a":1}' });
    latencies.push(performance.now() - startedAt);
    if (status !== 201) failed += 1;
    await sleep(pauseMs);
  }
  return { failed, number: latencies.length, p99: percentile(Float64Array.from(latencies), 0.99) };
}

/** Waits for the end of a job. */
async function watchJob(tenant: Tenant, id: string) {
  const startedAt = performance.now();
  const seen: { ms: number; done: number }[] = [];
  for (;;) {
    const { status, body } = await tenant.as('Admin').get<Job>(`${jobsPath}/${id}`);
    if (status !== 200) throw new Error(`the job answered ${status}`);
    seen.push({ ms: performance.now() - startedAt, done: body.done });
    if (body.state !== 'running') return { job: body, seen };
    await sleep(200);
  }
}

/** How long the submissions between two shares of all took, in milliseconds. */
function timeBetween(seen: readonly { ms: number; done: number }[], from: number, to: number): number {
  const total = seen.at(-1)!.done;
  const at = (share: number) => seen.find(({ done }) => done >= share * total)!.ms;
  return at(to) - at(from);
}

async function proveErasure(count: number): Promise<Claim[]> {
  const world = await startHarness();
  const tenant = tenantOf(world);
  const other = tenantOf(world);
  const submitterId = await fill(world, tenant, count);
  const alone = await createBeside(other, sleep(5_000));
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50);

  const askedAt = performance.now();
  const asked = await tenant
    .as('Admin')
    .call<Job>('DELETE', `/api/submitters/${submitterId}?submissions=delete`);
  const answeredMs = performance.now() - askedAt;
  const watched = watchJob(tenant, asked.body.id);
  const [beside, events, { job, seen }] = await Promise.all([
    createBeside(other, watched),
    takeEvents(world, watched),
    watched,
  ]);
  clearInterval(watch);

  const [left] = await world.db.query<{ rows: number }>(
    `select count(*)::integer as rows from submissions
     where tenant_id = $1 and (submitter_id is not null or submitter_display_id is not null or json_data <> '{}')`,
    [tenant.id],
  );
  const person = await tenant.as('Admin').get(`/api/submitters/${submitterId}`);
  await world.close();

  const seconds = seen.at(-1)!.ms / 1000;
  const [first, last] = [timeBetween(seen, 0.05, 0.15), timeBetween(seen, 0.85, 0.95)];
  const growth = (peak - before) / mb;
  const eventsText = ['submission.deleted', 'submission.erased', 'submitter.erased']
    .map((type) => `${events.get(type) ?? 0} ${type}`)
    .join(', ');
  const eventsWanted = `${count} submission.deleted, ${count} submission.erased, 1 submitter.erased`;
  return [
    {
      what: `the request that starts the job, after ${answeredMs.toFixed(0)} ms`,
      found: `${asked.status}, ${job.total} submissions`,
      wanted: `202, ${count} submissions`,
      holds: asked.status === 202 && job.total === count,
    },
    {
      what: `the job after ${seconds.toFixed(0)} s, ${(count / seconds).toFixed(0)} submissions a second`,
      found: `${job.state}, ${job.counts['erased']} erased, ${left!.rows} left; the respondent is a ${person.status}`,
      wanted: `done, ${count} erased, 0 left; the respondent is a 404`,
      holds:
        job.state === 'done' && job.counts['erased'] === count && left!.rows === 0 && person.status === 404,
    },
    { what: 'its events', found: eventsText, wanted: eventsWanted, holds: eventsText === eventsWanted },
    {
      what: 'time of a late tenth ÷ that of an early one',
      found: (last / first).toFixed(2),
      wanted: '< 2',
      holds: last / first < 2,
    },
    {
      what: 'creates of another tenant',
      found: `${beside.number}, ${beside.failed} failed; p99 ${beside.p99.toFixed(0)} ms, before ${alone.p99.toFixed(0)} ms`,
      wanted: 'none failed',
      holds: beside.failed === 0 && beside.number > 0,
    },
    {
      what: 'growth in memory of service and clients',
      found: `${growth.toFixed(0)} MB over ${(before / mb).toFixed(0)} MB`,
      wanted: `< ${mostGrowthMb} MB`,
      holds: growth < mostGrowthMb,
    },
  ];
}

const [count = 1_000_000] = process.argv.slice(2).map(Number);
prove(() => proveErasure(count));
