import { eventually } from '@canvass/testing';
import { connect } from 'amqplib';
import { setTimeout as sleep } from 'node:timers/promises';
import { brokerCheck, type Broker, type IncomingMessage } from '../src';
import { brokerFixture, message, publishAll, type BrokerFixture } from './broker-fixture';
import { consumeOf, tcpProxy } from './tcp-proxy';

let fixture: BrokerFixture;
let broker: Broker;
beforeEach(async () => {
  fixture = await brokerFixture();
  broker = await fixture.connected();
});
afterEach(() => fixture.end());

describe('outcomes', () => {
  it('ack: done', async () => {
    const seen: IncomingMessage[] = [];
    const consumer = broker.consume('work', { prefetch: 10 }, async (incoming) => {
      seen.push(incoming);
      return 'ack';
    });
    const sent = message({ headers: { tenant: '7' } });
    await publishAll(broker, sent);
    await eventually(() => expect(seen).toHaveLength(1));
    expect(seen[0]).toMatchObject({
      messageId: sent.messageId,
      routingKey: 'thing.made',
      body: sent.body,
      headers: { tenant: '7' },
      redelivered: false,
      deliveryCount: 0,
    });
    await consumer.stop();
    await fixture.empty('work');
  });

  it('dead: goes to the dead-letter exchange', async () => {
    broker.consume('work', { prefetch: 10 }, async () => 'dead');
    const sent = message();
    await publishAll(broker, sent);
    const dead = await eventually(async () => {
      const taken = await fixture.take('dead');
      return taken.length > 0 ? taken : false;
    });
    expect(dead).toMatchObject([{ id: sent.messageId, body: sent.body.toString() }]);
  });

  it('retry: the message returns later, unchanged and counted', async () => {
    const seen: IncomingMessage[] = [];
    broker.consume('work', { prefetch: 10 }, async (incoming) => {
      seen.push(incoming);
      return seen.length < 3 ? { retryInMs: 1_000 } : 'ack';
    });
    const sent = message({ headers: { tenant: '7' } });
    await publishAll(broker, sent);
    await eventually(() => expect(seen).toHaveLength(3));
    expect(seen.map(({ deliveryCount }) => deliveryCount)).toEqual([0, 1, 2]);
    expect(seen[2]).toMatchObject({
      messageId: sent.messageId,
      routingKey: 'thing.made',
      body: sent.body,
      headers: { tenant: '7' },
    });
    await fixture.empty('work');
    await fixture.empty('work.retry.1s');
  });

  it('retries of one cause are counted in a row', async () => {
    const seen: IncomingMessage[] = [];
    const causes = ['a', 'a', 'b', undefined];
    broker.consume('work', { prefetch: 10 }, async (incoming) => {
      seen.push(incoming);
      const cause = causes[seen.length - 1];
      if (seen.length > causes.length) return 'ack';
      return cause === undefined ? { retryInMs: 1_000 } : { retryInMs: 1_000, cause };
    });
    await publishAll(broker, message());
    await eventually(() => expect(seen).toHaveLength(5));
    expect(seen.map(({ retriesOfCause }) => retriesOfCause)).toEqual([
      undefined,
      { cause: 'a', count: 1 },
      { cause: 'a', count: 2 },
      { cause: 'b', count: 1 },
      undefined,
    ]);
  });

  it('a retry waits until its missing queue is declared again', async () => {
    await fixture.vhost.api('DELETE', '/queues/:vhost/work.retry.1s');
    let seen = 0;
    broker.consume('work', { prefetch: 10 }, async () => (++seen < 2 ? { retryInMs: 500 } : 'ack'));
    await publishAll(broker, message());
    await eventually(() => expect(seen).toBe(2));
    await fixture.empty('work');
  });
});

describe('a consumer', () => {
  it('has at most `prefetch` messages at once', async () => {
    let running = 0;
    let most = 0;
    let done = 0;
    broker.consume('work', { prefetch: 3 }, async () => {
      most = Math.max(most, ++running);
      await sleep(10);
      running -= 1;
      done += 1;
      return 'ack';
    });
    await publishAll(broker, ...Array.from({ length: 30 }, () => message()));
    await eventually(() => expect(done).toBe(30));
    expect(most).toBe(3);
  });

  it('stops: takes no more messages, waits for running handlers, gives the rest back', async () => {
    const seen: string[] = [];
    let finish: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (finish = resolve));
    const consumer = broker.consume('work', { prefetch: 2 }, async ({ messageId }) => {
      seen.push(messageId);
      await gate;
      return 'ack';
    });
    const sent = Array.from({ length: 5 }, () => message());
    await publishAll(broker, ...sent);
    await eventually(() => expect(seen).toHaveLength(2));
    let stopped = false;
    const stopping = consumer.stop().then(() => (stopped = true));
    await publishAll(broker, message());
    await sleep(100);
    expect(stopped).toBe(false);
    finish();
    await stopping;
    expect(seen).toHaveLength(2);
    await eventually(async () => expect(await fixture.count('work')).toBe(4));
  });

  it('follows a new connection; an ack on the old channel is dropped, and the message is redelivered', async () => {
    const seen: IncomingMessage[] = [];
    let finish: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (finish = resolve));
    broker.consume('work', { prefetch: 5 }, async (incoming) => {
      seen.push(incoming);
      if (seen.length === 1) await gate;
      return 'ack';
    });
    await publishAll(broker, message());
    await eventually(() => expect(seen).toHaveLength(1));
    await eventually(async () => expect(await fixture.vhost.closeConnections()).toBeGreaterThan(1));
    await eventually(() => expect(seen.length).toBeGreaterThan(1));
    finish();
    expect(seen[1]).toMatchObject({ messageId: seen[0]?.messageId, redelivered: true });
    expect(seen[1]?.deliveryCount).toBeGreaterThan(0);
    await eventually(() =>
      expect(fixture.lines).toContainEqual(
        expect.objectContaining({ level: 'debug', message: expect.stringContaining('not settled') }),
      ),
    );
    await fixture.empty('work');
    await eventually(() => publishAll(broker, message()));
    await eventually(() => expect(seen.length).toBeGreaterThan(2));
  });

  it('starts again when its queue is deleted under it', async () => {
    const seen: string[] = [];
    broker.consume('work', { prefetch: 5 }, async ({ messageId }) => {
      seen.push(messageId);
      return 'ack';
    });
    await publishAll(broker, message());
    await eventually(() => expect(seen).toHaveLength(1));
    await fixture.vhost.api('DELETE', '/queues/:vhost/work');
    await eventually(async () => {
      const [result] = await broker.publish([message()]);
      expect(result).toEqual({ ok: true });
    });
    await eventually(() => expect(seen.length).toBeGreaterThan(1));
  });

  it('reports a missing queue and consumes once it exists', async () => {
    const seen: string[] = [];
    const consumer = broker.consume('elsewhere', { prefetch: 5 }, async ({ messageId }) => {
      seen.push(messageId);
      return 'ack';
    });
    await eventually(() =>
      expect(broker.faults()).toEqual([expect.stringContaining('elsewhere is not consumed')]),
    );
    const { status } = await brokerCheck(broker).check(new AbortController().signal);
    expect(status).toBe('Degraded');
    const model = await connect(fixture.vhost.url);
    const channel = await model.createChannel();
    await channel.assertQueue('elsewhere', { durable: true });
    channel.sendToQueue('elsewhere', Buffer.from('{}'), { messageId: 'm' });
    await eventually(() => expect(seen).toEqual(['m']));
    expect(broker.faults()).toEqual([]);
    await model.close();
    await consumer.stop();
  });

  it('loses nothing while connections are closed repeatedly', async () => {
    const seen = new Set<string>();
    broker.consume('work', { prefetch: 20 }, async ({ messageId }) => {
      await sleep(Math.random() * 5);
      seen.add(messageId);
      return Math.random() < 0.05 ? { retryInMs: 1_000 } : 'ack';
    });
    const accepted: string[] = [];
    const closing = (async () => {
      for (let round = 0; round < 4; round += 1) {
        await eventually(async () => expect(await fixture.vhost.closeConnections()).toBeGreaterThan(1));
        await sleep(300);
      }
    })();
    let over = false;
    void closing.finally(() => (over = true));
    while (!over || accepted.length <= 100) {
      const batch = Array.from({ length: 20 }, () => message());
      const results = await broker.publish(batch);
      accepted.push(...batch.filter((_, at) => results[at]?.ok).map(({ messageId }) => messageId));
      await sleep(20);
    }
    await closing;
    await eventually(() => expect(accepted.filter((id) => !seen.has(id))).toEqual([]));
    await fixture.empty('work');
  });

  it('is not affected by a queue whose consumption ends the connection, which is tried less and less often', async () => {
    const proxy = await tcpProxy(fixture.vhost.url);
    proxy.dropOn(consumeOf('full'));
    const other = fixture.broker({ url: proxy.url });
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    const deliveries: number[] = [];
    other.consume('work', { prefetch: 10 }, async ({ deliveryCount }) => {
      deliveries.push(deliveryCount);
      await released;
      return 'ack';
    });
    await publishAll(broker, message(), message(), message());
    await eventually(() => expect(deliveries).toEqual([0, 0, 0]));
    other.consume('full', { prefetch: 1 }, async () => 'ack');
    const waits = () =>
      fixture.lines
        .filter(({ details }) => details['link'] === 'spec consuming full' && 'waitMs' in details)
        .map(({ details }) => details['waitMs'] as number);
    try {
      await eventually(() => expect(waits().length).toBeGreaterThanOrEqual(4));
      expect(waits()[3]).toBeGreaterThanOrEqual(400); // of 800
      expect(other.faults()).toEqual(['a consuming connection is down']);
    } finally {
      release();
    }
    await fixture.empty('work');
    expect(deliveries).toEqual([0, 0, 0]);
    await proxy.close();
  });

  it('is closed with its broker', async () => {
    let handled = 0;
    broker.consume('work', { prefetch: 5 }, async () => {
      await sleep(50);
      handled += 1;
      return 'ack';
    });
    await publishAll(broker, message());
    await eventually(async () => expect(await fixture.count('work')).toBe(0));
    await broker.close();
    expect(handled).toBe(1);
    expect(await broker.publish([message()])).toMatchObject([{ ok: false, reason: 'disconnected' }]);
    expect(() => broker.consume('work', { prefetch: 1 }, async () => 'ack')).toThrow('closed');
  });
});

it('a consumer that is stopped before its channel is open keeps no messages', async () => {
  const ignored: IncomingMessage[] = [];
  await broker
    .consume('work', { prefetch: 10 }, async (incoming) => {
      ignored.push(incoming);
      return 'ack';
    })
    .stop();
  const sent = Array.from({ length: 30 }, () => message());
  await publishAll(broker, ...sent);
  const seen = new Set<string>();
  broker.consume('work', { prefetch: 10 }, async ({ messageId }) => {
    seen.add(messageId);
    return 'ack';
  });
  await eventually(() => expect(seen).toEqual(new Set(sent.map(({ messageId }) => messageId))));
  expect(ignored).toEqual([]);
});
