import { eventually } from '@canvass/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { cancelJob, readJob, readJobs, type JobStep } from '../../src/jobs';
import { jobsFixture, type JobsFixture } from './jobs-fixture';

let fixture: JobsFixture;
beforeEach(async () => (fixture = await jobsFixture()));
afterEach(() => fixture.end());

interface Place {
  at: number;
}

/** Counts to the total of its request, one at a step. */
const count: JobStep<{ to: number }, Place> = (_tx, { request, done, counts, place }) => {
  const at = (place.at ?? 0) + 1;
  return Promise.resolve({
    state: at >= request.to ? 'done' : 'running',
    done: done + 1,
    counts: { seen: (counts['seen'] ?? 0) + 1 },
    place: { at },
    result: { last: at },
  });
};

const read = (id: string, tenantId = '1') => readJob(fixture.db, tenantId, id);
const ended = (id: string) =>
  eventually(async () => {
    const job = await read(id);
    expect(job.state).not.toBe('running');
    return job;
  });

it('runs the steps of a job to its end, in the name of who started it', async () => {
  const { id, state } = await fixture.start({ request: { to: 3 } });
  expect(state).toBe('running');
  const { steps } = fixture.worker({ count });
  expect(await ended(id)).toMatchObject({
    kind: 'count',
    state: 'done',
    reason: 'because',
    startedBy: { provider: 'Service', kind: 'user', subject: '11' },
    total: 3,
    done: 3,
    counts: { seen: 3 },
    result: { last: 3 },
    error: null,
    finishedAt: expect.any(Date) as unknown,
  });
  await eventually(() => expect(steps.committed).toBe(3));
});

it('starts at once when it is woken, and leaves kinds that it does not know', async () => {
  const unknown = await fixture.start({ kind: 'other', request: { to: 1 } });
  const worker = fixture.worker({ count });
  const { id } = await fixture.start({ request: { to: 1 } });
  worker.wake();
  await ended(id);
  expect((await read(unknown.id)).state).toBe('running');
});

it('sleeps without jobs until it is woken, and until a pause is over', async () => {
  const looks = jest.spyOn(fixture.db, 'transaction');
  const worker = fixture.worker({ count });
  await sleep(3_500);
  const idle = looks.mock.calls.length;
  const { id } = await fixture.start({ request: { to: 1 } });
  worker.wake();
  await ended(id);
  const paused = await fixture.start({ request: { to: 1 } });
  await fixture.db.query(`update jobs set next_step_at = now() + interval '2 seconds' where id = $1`, [
    paused.id,
  ]);
  worker.wake();
  await ended(paused.id);
  // A look at the start; two for the job; one that finds the pause and two after it.
  expect([idle, looks.mock.calls.length <= 7]).toEqual([1, true]);
});

it('looks often while another process works on a job, to take it over', async () => {
  const { id } = await fixture.start({ request: { to: 1 } });
  const looks = jest.spyOn(fixture.db, 'transaction');
  const working = fixture.db.transaction(async (tx) => {
    await tx.query('select from jobs where id = $1 for update', [id]);
    const before = looks.mock.calls.length;
    fixture.worker({ count });
    // At the pace of a process without jobs this would take longer than `eventually` waits.
    await eventually(() => expect(looks.mock.calls.length).toBeGreaterThanOrEqual(before + 5));
    expect((await read(id)).state).toBe('running');
    throw new Error('killed');
  });
  await expect(working).rejects.toThrow('killed');
  await ended(id);
});

it('lets jobs take turns, so that a long one does not hold up a short one', async () => {
  const long = await fixture.start({ request: { to: 200 } });
  const short = await fixture.start({ request: { to: 2 } });
  fixture.worker({ count });
  const after = await ended(short.id);
  const { done, finishedAt } = await ended(long.id);
  expect([done, finishedAt! > after.finishedAt!]).toEqual([200, true]);
});

it('continues a job as soon as its pause is over', async () => {
  const { id } = await fixture.start({ request: { to: 30 } });
  const startedAt = performance.now();
  fixture.worker({ count: async (tx, job) => ({ ...(await count(tx, job)), pauseMs: 20 }) });
  await ended(id);
  const elapsedMs = performance.now() - startedAt;
  // 29 pauses; a look once a second would take half a minute.
  expect([elapsedMs > 29 * 20, elapsedMs < 20_000]).toEqual([true, true]);
});

it('runs each step once, whatever the number of processes', async () => {
  await fixture.db.query('create table looked (job bigint, at integer)');
  const look: JobStep<{ to: number }, Place> = async (tx, job) => {
    const step = await count(tx, job);
    await tx.query('insert into looked values ($1, $2)', [job.id, step.place.at]);
    return step;
  };
  const jobs = await Promise.all([1, 2, 3].map(() => fixture.start({ request: { to: 20 } })));
  const workers = [1, 2, 3].map(() => fixture.worker({ count: look }));
  for (const { id } of jobs) await ended(id);
  const [looked] = await fixture.db.query<{ rows: number; different: number }>(
    'select count(*)::integer as rows, count(distinct (job, at))::integer as different from looked',
  );
  expect(looked).toEqual({ rows: 60, different: 60 });
  await eventually(() => expect(workers.reduce((sum, { steps }) => sum + steps.committed, 0)).toBe(60));
});

it('rolls a failed step back and repeats it', async () => {
  await fixture.db.query('create table made (at integer)');
  let failures = 0;
  const flaky: JobStep<{ to: number }, Place> = async (tx, job) => {
    const step = await count(tx, job);
    await tx.query('insert into made values ($1)', [step.place.at]);
    if (step.place.at === 2 && failures++ === 0) throw new Error('once');
    return step;
  };
  const { id } = await fixture.start({ request: { to: 3 } });
  const worker = fixture.worker({ count: flaky });
  expect(await ended(id)).toMatchObject({ state: 'done', done: 3, error: null });
  expect(failures).toBe(2);
  expect(await fixture.db.query('select at from made order by at')).toEqual([
    { at: 1 },
    { at: 2 },
    { at: 3 },
  ]);
  expect(await worker.metrics.registry.metrics()).toMatch(/job_steps_total\{kind="count",end="failed".*\} 1/);
});

it('gives up after 20 failures in a row, with a sentence and without the cause', async () => {
  const { id } = await fixture.start();
  await fixture.db.query('update jobs set failures = 18');
  fixture.worker({ count: () => Promise.reject(new Error('a secret cause')) });
  await eventually(async () => {
    // The pause before the next try is minutes.
    await fixture.db.query('update jobs set next_step_at = now()');
    expect((await read(id)).state).toBe('failed');
  });
  const { error, finishedAt } = await read(id);
  expect([error, finishedAt]).toEqual([
    'A step failed too often. The log of the service has the cause.',
    expect.any(Date),
  ]);
});

it('is failed by a step that says why', async () => {
  const { id } = await fixture.start();
  fixture.worker({
    count: (_tx, { done, counts }) =>
      Promise.resolve({ state: 'failed', done, counts, place: {}, error: 'The list was deleted.' }),
  });
  expect(await ended(id)).toMatchObject({ state: 'failed', error: 'The list was deleted.' });
});

it('is cancelled once, between two steps, and recorded once', async () => {
  const { id } = await fixture.start({ request: { to: 1_000_000 } });
  fixture.worker({ count });
  await eventually(async () => expect((await read(id)).done).toBeGreaterThan(2));
  const cancel = () => fixture.asCaller(() => cancelJob(fixture.db, { tenantId: '1', id, object: 'job' }));
  const first = await cancel();
  expect(first.state).toBe('cancelled');
  const second = await cancel();
  expect(second).toEqual(first);
  expect(await fixture.db.query('select action, object_id from audit')).toEqual([
    { action: 'job.cancelled', object_id: id },
  ]);
  const other = await fixture.start({ request: { to: 3 } });
  await ended(other.id);
  expect(await read(id)).toEqual(first);
});

it('belongs to its tenant and its kind', async () => {
  const { id } = await fixture.start();
  await expect(read(id, '2')).rejects.toMatchObject({ status: 404 });
  await expect(readJob(fixture.db, '1', id, 'other')).rejects.toMatchObject({ status: 404 });
  const foreign = { tenantId: '2', id, object: 'job' };
  await expect(fixture.asCaller(() => cancelJob(fixture.db, foreign))).rejects.toMatchObject({
    status: 404,
  });
  const page = async (filter: object) =>
    readJobs(
      fixture.db,
      { tenantId: '1', kinds: null, state: null, ...filter },
      { limit: 10, total: 'exact' },
      (job) => job.id,
    );
  await fixture.start({ tenantId: '2' });
  const newer = await fixture.start({ kind: 'other' });
  expect(await page({})).toMatchObject({ items: [newer.id, id], total: 2 });
  expect(await page({ kinds: ['count'] })).toMatchObject({ items: [id] });
  expect(await page({ state: 'done' })).toMatchObject({ items: [], total: 0 });
});

it('is deleted some time after its end, never before', async () => {
  const old = await fixture.start({ request: { to: 1 } });
  const recent = await fixture.start({ request: { to: 1 } });
  const running = await fixture.start({ kind: 'other' });
  const first = fixture.worker({ count });
  await Promise.all([ended(old.id), ended(recent.id)]);
  await first.stop();
  await fixture.db.query(`update jobs set finished_at = now() - interval '2 hours' where id = $1`, [old.id]);
  await fixture.db.query(`update jobs set created_at = now() - interval '9 days'`);
  fixture.worker({});
  await eventually(async () => {
    const rows = await fixture.db.query<{ id: string }>('select id from jobs order by id');
    expect(rows.map(({ id }) => id)).toEqual([recent.id, running.id]);
  });
});
