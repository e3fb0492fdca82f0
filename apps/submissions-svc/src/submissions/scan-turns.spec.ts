import type { Database } from '@canvass/postgres';
import { createScanTurns, type InTurn } from './scan-turns';

/** Two turns of each kind: each tenant has one. */
const db = { pool: { options: { max: 10 } } } as Database;
const [alone, beside] = [() => false, () => true];

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A read that takes so many milliseconds. */
const read = (inTurn: InTurn, tenantId: string, ms: number) =>
  inTurn(tenantId, () => new Promise<void>((resolve) => setTimeout(resolve, ms)));

/** Milliseconds until the next read of the tenant begins. */
async function waitOf(inTurn: InTurn, tenantId: string): Promise<number> {
  const askedAt = performance.now();
  let begunAt: number | undefined;
  const next = inTurn(tenantId, async () => void (begunAt = performance.now()));
  while (begunAt === undefined) await jest.advanceTimersByTimeAsync(10);
  await next;
  return begunAt - askedAt;
}

async function readFor(inTurn: InTurn, tenantId: string, ms: number): Promise<void> {
  const reading = read(inTurn, tenantId, ms);
  await jest.advanceTimersByTimeAsync(ms);
  await reading;
}

it.each(['part', 'whole'] as const)('a tenant does not rest until it has read for 2 s: %s', async (kind) => {
  const inTurn = createScanTurns(db, beside)[kind];
  for (let n = 0; n < 10; n += 1) await readFor(inTurn, '1', 200);
  expect(await waitOf(inTurn, '1')).toBeLessThanOrEqual(10);
});

it('short reads use nothing of its budget', async () => {
  const inTurn = createScanTurns(db, beside).whole;
  for (let n = 0; n < 100; n += 1) await readFor(inTurn, '1', 30);
  expect(await waitOf(inTurn, '1')).toBeLessThanOrEqual(10);
});

it('pages of a part use its budget', async () => {
  const inTurn = createScanTurns(db, beside).part;
  for (let n = 0; n < 56; n += 1) await readFor(inTurn, '1', 40);
  expect(await waitOf(inTurn, '1')).toBeGreaterThanOrEqual(190);
});

it.each([
  ['a third of a core while it is alone', alone, 3_000],
  ['a tenth of a core beside other tenants', beside, 10_000],
])('then its reads use %s', async (_, hasOthers, restMs) => {
  const inTurn = createScanTurns(db, hasOthers).whole;
  await readFor(inTurn, '1', 3_000);
  const waitMs = await waitOf(inTurn, '1');
  expect(waitMs).toBeGreaterThanOrEqual(restMs - 10);
  expect(waitMs).toBeLessThanOrEqual(restMs + 20);
});

it('both kinds of reads use one budget', async () => {
  const { part, whole } = createScanTurns(db, beside);
  await readFor(whole, '1', 2_000);
  await readFor(part, '1', 500);
  expect(await waitOf(part, '1')).toBeGreaterThan(4_000);
});

it('a tenant that rested has its budget again', async () => {
  const inTurn = createScanTurns(db, beside).whole;
  await readFor(inTurn, '1', 2_000);
  await jest.advanceTimersByTimeAsync(20_000);
  await readFor(inTurn, '1', 1_990);
  expect(await waitOf(inTurn, '1')).toBeLessThanOrEqual(10);
});

it('another tenant does not wait for one that rests', async () => {
  const inTurn = createScanTurns(db, beside).whole;
  await readFor(inTurn, '1', 3_000);
  expect(await waitOf(inTurn, '2')).toBeLessThanOrEqual(10);
});

it('a page that reads a part does not wait for reads of all submissions', async () => {
  const { part, whole } = createScanTurns(db, beside);
  const reading = read(whole, '1', 1_000);
  expect(await waitOf(part, '1')).toBeLessThanOrEqual(10);
  await jest.advanceTimersByTimeAsync(1_000);
  await reading;
});
