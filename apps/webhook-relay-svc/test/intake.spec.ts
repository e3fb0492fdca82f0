import { exchanges } from '@canvass/contracts';
import type { IncomingMessage, Outcome } from '@canvass/messaging';
import { eventually, expectMalformedEvents } from '@canvass/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeEvents } from '../src/pipeline';
import { newId, startHarness, type Harness } from './harness';

let world: Harness;
beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());

async function publish(count: number, bytes: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newId);
  const message = {
    exchange: exchanges.events,
    routingKey: 'submission.completed',
    body: Buffer.alloc(bytes),
  };
  const results = await world.broker.publish(ids.map((messageId) => ({ ...message, messageId })));
  expect(results.every(({ ok }) => ok)).toBe(true);
  return ids;
}

it('has 16 events in hand, 64 after 200 small ones, and 16 from the first large one on', async () => {
  expectMalformedEvents();
  const inHand = new Map<string, (outcome: Outcome) => void>();
  const done = new Set<string>();
  let isHeld = true;
  const handle = async ({ messageId }: IncomingMessage): Promise<Outcome> => {
    const outcome = await new Promise<Outcome>((resolve) => {
      inHand.set(messageId, resolve);
      if (!isHeld) resolve('ack');
    });
    inHand.delete(messageId);
    done.add(messageId);
    return outcome;
  };
  const finish = (ids: Iterable<string>) => [...ids].forEach((id) => inHand.get(id)?.('ack'));
  const finishAll = async (ids: readonly string[]) => {
    isHeld = false;
    finish(inHand.keys());
    await eventually(() => expect(ids.filter((id) => !done.has(id))).toEqual([]));
    isHeld = true;
  };

  const early = await publish(300, 100);
  const intake = takeEvents(world.broker, handle);
  await eventually(() => expect(inHand.size).toBe(16));
  await finishAll(early);
  const small = await publish(64, 100);
  await eventually(() => expect(inHand.size).toBe(64));
  const large = await publish(100, 256 * 1024);
  finish(small);
  // The first large one may have come to the second consumer.
  await eventually(() => expect(large.filter((id) => inHand.has(id)).length).toBeGreaterThanOrEqual(16));
  await sleep(500);
  expect(inHand.size).toBeLessThanOrEqual(17);
  await finishAll(large);
  await intake.stop();
});
