import { jobHandler } from './jobs';
import type { Claimed, Job } from './leases';

const jobOf = (deliveryId: unknown, more: object = { tenantId: '1', endpointId: '2' }) => ({
  body: Buffer.from(JSON.stringify({ deliveryId, ...more })),
});
const deliverer = { start: () => undefined };

it('claims jobs that arrive together in groups, not one by one', async () => {
  const groups: string[][] = [];
  let answer: () => void = () => undefined;
  let left = 0;
  const byIds = async (jobs: readonly Job[]) => {
    groups.push(jobs.map(({ deliveryId }) => deliveryId));
    await new Promise<void>((resolve) => (answer = resolve));
    return [];
  };
  const handle = jobHandler({ byIds }, deliverer, () => (left += 1));
  const nextGroup = async (number: number) => {
    while (groups.length < number) await new Promise((resolve) => setImmediate(resolve));
  };
  const ids = Array.from({ length: 200 }, (_, n) => String(n + 1));
  const first = handle(jobOf(ids[0]));
  await nextGroup(1);
  const others = ids.slice(1).map((id) => handle(jobOf(id)));
  answer();
  expect(await first).toBe('ack');
  await nextGroup(2);
  answer();
  expect(new Set(await Promise.all(others))).toEqual(new Set(['ack']));
  expect(groups).toEqual([[ids[0]], ids.slice(1)]);
  expect(left).toBe(2);
});

it('acks a job only after its claim is committed', async () => {
  const byIds = () => Promise.reject(new Error('the database is away'));
  await expect(jobHandler({ byIds }, deliverer, () => undefined)(jobOf('1'))).rejects.toThrow(
    'the database is away',
  );
});

it('starts what it has claimed, and reports nothing as left', async () => {
  const started: string[] = [];
  const byIds = (jobs: readonly Job[]) =>
    Promise.resolve(jobs.map(({ deliveryId: id }) => ({ id }) as Claimed));
  const handle = jobHandler(
    { byIds },
    { start: (deliveries) => started.push(...deliveries.map(({ id }) => id)) },
    () => {
      throw new Error('nothing is left');
    },
  );
  expect(await handle(jobOf('1'))).toBe('ack');
  expect(started).toEqual(['1']);
});

it.each([['text'], [null], ['9223372036854775808']])('refuses a job of delivery %p', async (deliveryId) => {
  const handle = jobHandler({ byIds: () => Promise.resolve([]) }, deliverer, () => undefined);
  expect(await handle(jobOf(deliveryId))).toBe('dead');
});
