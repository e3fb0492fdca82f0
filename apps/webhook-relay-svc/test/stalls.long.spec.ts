import { stalls } from '@canvass/testing';
import { createAddressPolicy } from '@canvass/webhook-addresses';
import { createSender } from '../src/pipeline';

/** The deadline: where a status is there at once, a stalled machine must leave time to read it. */
const deadlineOf = (hasStatus: boolean) => (hasStatus ? 3_000 : 700);
/** A machine may be slow to fire a timer; one that was never set does not fire at all. */
const patienceMs = 20_000;

describe('an attempt ends within its deadline and releases its resources', () => {
  it.each(stalls)('$name', async ({ hasStatus, start }) => {
    const receiver = await start();
    const deadlineMs = deadlineOf(hasStatus);
    const sender = createSender({
      policy: createAddressPolicy({ AllowedNetworks: ['127.0.0.0/8'] }),
      totalTimeoutMs: deadlineMs,
    });
    const { signal } = new AbortController();
    const send = () =>
      sender.send({ url: receiver.url, headers: {}, body: Buffer.alloc(2_000, 'x') }, signal);
    const results = await Promise.all([send(), send(), send()]);
    for (const result of results) {
      expect(result.totalMs).toBeLessThan(patienceMs);
      // What has a status has an answer; a receiver that says 2xx and stalls has the message.
      if (hasStatus)
        expect(result).toMatchObject({ outcome: 'success', statusCode: 200, responseTruncated: true });
      else {
        expect(result).toMatchObject({ outcome: 'timeout', statusCode: null });
        expect(result.totalMs).toBeGreaterThanOrEqual(deadlineMs - 1);
      }
      expect(result.responseBody.length).toBeLessThanOrEqual(16_384);
    }
    sender.close();
    await receiver.close();
  });
});
