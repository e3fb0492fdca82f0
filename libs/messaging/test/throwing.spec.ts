import { eventually } from '@canvass/testing';
import type { Broker, IncomingMessage } from '../src';
import { brokerFixture, message, publishAll, type BrokerFixture } from './broker-fixture';

/** Handlers that throw. */

let fixture: BrokerFixture;
let broker: Broker;
beforeEach(async () => {
  fixture = await brokerFixture();
  broker = await fixture.connected();
});
afterEach(() => fixture.end());

it('the handler is called again while the message is held; others are not affected', async () => {
  let failures = 0;
  const done: IncomingMessage[] = [];
  const bad = message();
  broker.consume('work', { prefetch: 10 }, async (incoming) => {
    if (incoming.messageId === bad.messageId && ++failures < 4) throw new Error('the database is away');
    done.push(incoming);
    return 'ack';
  });
  const good = [message(), message()];
  await publishAll(broker, bad, ...good);
  await eventually(() => expect(done).toHaveLength(3));
  expect(done.at(-1)).toMatchObject({ messageId: bad.messageId, redelivered: false, deliveryCount: 0 });
  const logged = fixture.lines.filter(({ level }) => level === 'error');
  expect(logged).toHaveLength(1);
  expect(logged[0]?.details).toMatchObject({ messageId: bad.messageId, error: 'the database is away' });
  await fixture.empty('work');
});

it('a message whose handler throws for too long waits in a retry queue', async () => {
  const seen: IncomingMessage[] = [];
  const impatient = await fixture.connected({ holdMs: 300 });
  impatient.consume('work', { prefetch: 10 }, async (incoming) => {
    seen.push(incoming);
    if (incoming.deliveryCount === 0) throw new Error('the database is away');
    return 'ack';
  });
  await publishAll(broker, message());
  await eventually(() => expect(seen.at(-1)?.deliveryCount).toBe(1));
  expect(seen.length).toBeGreaterThan(2);
  expect(fixture.lines.map(({ message: text }) => text)).toContain(
    'handler keeps failing; the message waits in a retry queue',
  );
  await fixture.empty('work');
  await fixture.empty('work.retry.5s');
});

it('a message whose handler throws while its consumer is stopped is redelivered at once', async () => {
  const consumer = broker.consume('work', { prefetch: 10 }, () => Promise.reject(new Error('no database')));
  await publishAll(broker, message());
  await eventually(() => expect(fixture.lines.some(({ level }) => level === 'error')).toBe(true));
  await consumer.stop();
  const seen: IncomingMessage[] = [];
  broker.consume('work', { prefetch: 10 }, async (incoming) => {
    seen.push(incoming);
    return 'ack';
  });
  await eventually(() => expect(seen).toHaveLength(1));
  expect(seen[0]).toMatchObject({ redelivered: true });
  expect(await fixture.count('work.retry.5s')).toBe(0);
});
