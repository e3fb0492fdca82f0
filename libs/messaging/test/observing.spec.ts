import { eventually } from '@canvass/testing';
import { observeBroker, type BrokerMetrics } from '../src';
import { brokerFixture, message, type BrokerFixture } from './broker-fixture';

let fixture: BrokerFixture;
beforeAll(async () => (fixture = await brokerFixture()));
afterAll(() => fixture.end());

/** Reads the registered gauges like a scrape. */
function recordingMetrics() {
  const gauges = new Map<string, () => unknown>();
  const metrics: BrokerMetrics = { gauge: ({ name, collect }) => void gauges.set(name, collect) };
  return { metrics, read: async (name: string) => gauges.get(name)!() };
}

it('reports state, faults and queue depths without failing a scrape', async () => {
  const broker = fixture.broker();
  const { metrics, read } = recordingMetrics();
  observeBroker(metrics, broker, ['work', 'dead']);
  expect(await read('broker_queue_messages')).toEqual([]); // not connected yet
  await broker.whenConnected();
  await broker.publish([message(), message()]);
  await eventually(async () => expect(await fixture.count('work')).toBe(2));
  expect(await read('broker_state')).toContainEqual({ labels: { state: 'connected' }, value: 1 });
  expect(await read('broker_state')).toContainEqual({ labels: { state: 'blocked' }, value: 0 });
  expect(await read('broker_faults')).toBe(0);

  const later = recordingMetrics(); // the first one still has its cached value
  observeBroker(later.metrics, broker, ['absent', 'work', 'dead']);
  expect(await later.read('broker_queue_messages')).toEqual([
    { labels: { queue: 'work' }, value: 2 },
    { labels: { queue: 'dead' }, value: 0 },
  ]);
  await broker.close();
  expect(await read('broker_state')).toContainEqual({ labels: { state: 'closed' }, value: 1 });
  expect(await later.read('broker_queue_messages')).toHaveLength(2);
});
