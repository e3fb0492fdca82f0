import { eventually } from '@canvass/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { brokerFixture, message, type BrokerFixture } from './broker-fixture';

let fixture: BrokerFixture;
beforeEach(async () => {
  fixture = await brokerFixture();
});
afterEach(() => fixture.end());

it('an ack covers no older message that is still handled', async () => {
  const broker = fixture.broker();
  await broker.whenConnected();
  const sent = Array.from({ length: 5 }, () => message());
  const held = [sent[1]!.messageId, sent[3]!.messageId];
  const again: string[] = [];
  let finish: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (finish = resolve));
  let received = 0;
  broker.consume('work', { prefetch: 10 }, async ({ messageId, redelivered }) => {
    if (redelivered) again.push(messageId);
    received += 1;
    if (held.includes(messageId)) await gate;
    // The others are done in one turn of the event loop.
    else await eventually(() => expect(received).toBeGreaterThanOrEqual(5));
    return 'ack';
  });
  expect((await broker.publish(sent)).filter((result) => !result.ok)).toEqual([]);
  await eventually(() => expect(received).toBe(5));
  await sleep(300);
  await eventually(async () => expect(await fixture.vhost.closeConnections()).toBeGreaterThan(0));
  await eventually(() => expect(received).toBeGreaterThanOrEqual(7));
  finish();
  await eventually(async () => expect(await fixture.count('work')).toBe(0));
  expect(again.sort()).toEqual(held.sort());
});
