import type * as requestPriority from '../src/request-priority';
import type { RequestPriority } from '../src/request-priority';
import { startHarness, type Harness } from './harness';

const mockCalls: ('prioritise' | 'yieldNow')[] = [];

/** The real implementation with recorded calls. */
jest.mock('../src/request-priority', () => {
  const real = jest.requireActual<typeof requestPriority>('../src/request-priority');
  return {
    ...real,
    createRequestPriority(): RequestPriority {
      const priority = real.createRequestPriority();
      return {
        prioritise: (work) => (mockCalls.push('prioritise'), priority.prioritise(work)),
        yieldToRequests() {
          const yieldNow = priority.yieldToRequests();
          return () => (mockCalls.push('yieldNow'), yieldNow());
        },
      };
    },
  };
});

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

/** The calls since the last call of this function. */
const called = () => mockCalls.splice(0);

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
