import { createRequestPriority, type RequestPriority } from '../src/request-priority';
import { startHarness, type Harness } from './harness';

const calls: ('prioritise' | 'yieldNow')[] = [];
const real = createRequestPriority();

/** The real implementation with recorded calls. */
const priority: RequestPriority = {
  ...real,
  prioritise(work) {
    calls.push('prioritise');
    return real.prioritise(work);
  },
  yieldToRequests() {
    const yieldNow = real.yieldToRequests();
    return () => {
      calls.push('yieldNow');
      return yieldNow();
    };
  },
};

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({}, { priority });
});
afterAll(() => harness.close());

/** The calls since the last call of this function. */
const called = () => calls.splice(0);

it('all requests but imports and exports have priority; imports yield after each 16 KiB', async () => {
  const admin = harness.newTenant();
  const { id } = await admin.createList();
  expect(called()).toEqual(['prioritise']);

  const items = Array.from({ length: 4_000 }, (_, n) => `v${n},Label of ${n}\n`).join('');
  const csv = `value,default\n${items}`;
  const type = { 'content-type': 'text/csv' };
  expect((await admin.request('PUT', `/api/data-lists/${id}/import`, Buffer.from(csv), type)).status).toBe(
    200,
  );
  const steps = called();
  expect(new Set(steps)).toEqual(new Set(['yieldNow']));
  expect(steps.length).toBeGreaterThanOrEqual(Math.ceil(csv.length / 16_384));

  expect((await admin.find(id, { query: 'label' })).totalRecords).toBe(4_000);
  expect(called()).toEqual(['prioritise']);
  expect((await admin.request('POST', `/api/data-lists/${id}/export`, { format: 'csv' })).text).toHaveLength(
    csv.length + 4_001,
  );
  expect(called()).toEqual([]);
});

it('a tenant rests after an import beside other requests, and other tenants do not wait', async () => {
  const busy: RequestPriority = { ...createRequestPriority(), isBusy: () => true };
  // One import for each tenant.
  const small = await startHarness({ ConcurrentImports: 2 }, { priority: busy });
  const [first, other] = [small.newTenant(), small.newTenant()];
  const [list, otherList] = [await first.createList(), await other.createList()];
  const items = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ value: `v${n}`, labels: { default: 'Label' } }));
  const timed = async (run: () => Promise<{ status: number }>) => {
    const startedAt = performance.now();
    expect((await run()).status).toBe(200);
    return performance.now() - startedAt;
  };
  const long = await timed(() => first.importItems(list.id, items(20_000)));
  const [next, ofOther] = await Promise.all([
    timed(() => first.importItems(list.id, items(1))),
    timed(() => other.importItems(otherList.id, items(1))),
  ]);
  expect(next).toBeGreaterThan(long);
  expect(ofOther).toBeLessThan(long);
  await small.close();
});
