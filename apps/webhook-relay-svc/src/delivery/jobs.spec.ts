import { jobHandler } from './jobs';

const jobOf = (deliveryId: unknown) => ({ body: Buffer.from(JSON.stringify({ deliveryId })) });
const startsNone = { deliver: () => Promise.resolve(0) };

it('leaves jobs that cannot start to the sweep, in groups', async () => {
  const groups: (readonly string[])[] = [];
  let written: () => void = () => undefined;
  const handle = jobHandler(startsNone, async (ids) => {
    groups.push(ids);
    await new Promise<void>((resolve) => (written = resolve));
  });
  const nextGroup = async (number: number) => {
    while (groups.length < number) await new Promise((resolve) => setImmediate(resolve));
  };
  const ids = Array.from({ length: 200 }, (_, n) => String(n + 1));
  const first = handle(jobOf(ids[0]));
  await nextGroup(1);
  const others = ids.slice(1).map((id) => handle(jobOf(id)));
  written();
  expect(await first).toBe('ack');
  await nextGroup(2);
  written();
  expect(new Set(await Promise.all(others))).toEqual(new Set(['ack']));
  expect(groups).toEqual([[ids[0]], ids.slice(1)]);
});

it('acknowledges a job only after its delivery is left to the sweep', async () => {
  const handle = jobHandler(startsNone, () => Promise.reject(new Error('the database is away')));
  await expect(handle(jobOf('1'))).rejects.toThrow('the database is away');
});

it('keeps started jobs', async () => {
  const handle = jobHandler({ deliver: ({ length }) => Promise.resolve(length) }, () =>
    Promise.reject(new Error('asked for')),
  );
  expect(await handle(jobOf('1'))).toBe('ack');
});

it.each([['text'], [null], ['9223372036854775808']])('rejects a job of delivery %p', async (deliveryId) => {
  expect(await jobHandler(startsNone, () => Promise.resolve())(jobOf(deliveryId))).toBe('dead');
});
