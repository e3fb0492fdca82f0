import type * as rightOfWay from '../src/right-of-way';
import type { RightOfWay } from '../src/right-of-way';
import { startHarness, type Harness } from './harness';

const mockCalls: ('pass' | 'giveWay')[] = [];

/** The real one, whose calls are noted. */
jest.mock('../src/right-of-way', () => {
  const real = jest.requireActual<typeof rightOfWay>('../src/right-of-way');
  return {
    ...real,
    createRightOfWay(): RightOfWay {
      const way = real.createRightOfWay();
      return {
        pass: (work) => (mockCalls.push('pass'), way.pass(work)),
        longWork() {
          const giveWay = way.longWork();
          return () => (mockCalls.push('giveWay'), giveWay());
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

/** What was called since it was asked before. */
const called = () => mockCalls.splice(0);

it('is had by everything but imports and exports; imports give way after each 16 KiB', async () => {
  const admin = harness.newTenant();
  const { id } = await admin.createList();
  expect(called()).toEqual(['pass']);

  const items = Array.from({ length: 4_000 }, (_, n) => `v${n},Label of ${n}\n`).join('');
  const csv = `value,default\n${items}`;
  const type = { 'content-type': 'text/csv' };
  expect((await admin.request('PUT', `/api/data-lists/${id}/import`, Buffer.from(csv), type)).status).toBe(
    200,
  );
  const steps = called();
  expect(new Set(steps)).toEqual(new Set(['giveWay']));
  expect(steps.length).toBeGreaterThanOrEqual(Math.ceil(csv.length / 16_384));

  expect((await admin.find(id, { query: 'label' })).totalRecords).toBe(4_000);
  expect(called()).toEqual(['pass']);
  expect((await admin.request('POST', `/api/data-lists/${id}/export`, { format: 'csv' })).text).toHaveLength(
    csv.length + 4_001,
  );
  expect(called()).toEqual([]);
});
