import { eventually } from '@canvass/testing';
import { connect } from 'amqplib';
import { brokerCheck } from '../src';
import { brokerFixture, message, topology, type BrokerFixture } from './broker-fixture';
import { connectionFrame, tcpProxy } from './tcp-proxy';

let fixture: BrokerFixture;
beforeEach(async () => {
  fixture = await brokerFixture();
});
afterEach(() => fixture.end());

const signal = new AbortController().signal;

describe('publish', () => {
  it('is confirmed once the message is in its queue', async () => {
    const broker = fixture.broker();
    await broker.whenConnected();
    const sent = message({ headers: { tenant: '7' } });
    expect(await broker.publish([sent])).toEqual([{ ok: true }]);
    expect(await fixture.take('work')).toEqual([
      { id: sent.messageId, body: sent.body.toString(), headers: { tenant: '7' } },
    ]);
    expect(await broker.publish([])).toEqual([]);
  });

  it('reports unroutable messages, although the broker confirms them', async () => {
    const broker = fixture.broker();
    await broker.whenConnected();
    const lost = message({ routingKey: 'without.queue' });
    const results = await broker.publish([
      message(),
      lost,
      message(),
      { ...lost },
      { ...lost, routingKey: 'thing.x' },
    ]);
    const returned = { ok: false, reason: 'returned', detail: 'NO_ROUTE' };
    expect(results).toEqual([{ ok: true }, returned, { ok: true }, returned, { ok: true }]);
    expect(await broker.publish([message()])).toEqual([{ ok: true }]);
  });

  it('reports messages that a full queue rejected', async () => {
    const broker = fixture.broker();
    await broker.whenConnected();
    // A quorum queue informs its publishers late that it is full.
    const refused = await eventually(async () => {
      const [result] = await broker.publish([message({ routingKey: 'full.up' })]);
      return result?.ok ? false : result;
    });
    expect(refused).toEqual({ ok: false, reason: 'nacked' });
  });

  it('survives the loss of its channel by a missing exchange', async () => {
    const broker = fixture.broker();
    await broker.whenConnected();
    const [result] = await broker.publish([message({ exchange: 'no.such.exchange' })]);
    expect(result).toMatchObject({ ok: false, reason: 'disconnected' });
    expect(result).toHaveProperty('detail', expect.stringContaining('NOT_FOUND'));
    await broker.whenConnected();
    expect(await broker.publish([message()])).toEqual([{ ok: true }]);
  });

  it('declares removed parts of the topology again', async () => {
    const broker = fixture.broker();
    await broker.whenConnected();
    await fixture.vhost.api('DELETE', '/exchanges/:vhost/service.events');
    expect(await broker.publish([message()])).toMatchObject([{ ok: false }]);
    await eventually(async () => expect(await broker.publish([message()])).toEqual([{ ok: true }]));
  });

  it('reports a message that AMQP cannot encode and sends the others', async () => {
    const broker = fixture.broker();
    await broker.whenConnected();
    const huge = message({ headers: { huge: 'x'.repeat(70_000) } });
    const results = await broker.publish([message(), huge, message()]);
    expect(results).toMatchObject([{ ok: true }, { ok: false, reason: 'invalid' }, { ok: true }]);
  });

  it('waits for drain instead of buffering', async () => {
    const broker = fixture.broker();
    await broker.whenConnected();
    const body = Buffer.alloc(20_000, 'x');
    const results = await broker.publish(Array.from({ length: 2_000 }, () => message({ body })));
    expect(results.filter((result) => !result.ok)).toEqual([]);
    await eventually(async () => expect(await fixture.count('work')).toBe(2_000));
  });

  it('fails at once without buffering while the broker is down', async () => {
    const broker = fixture.broker({ url: 'amqp://127.0.0.1:1' });
    expect(broker.state()).toBe('connecting');
    expect(await broker.publish([message()])).toMatchObject([{ ok: false, reason: 'disconnected' }]);
    expect(await brokerCheck(broker).check(signal)).toMatchObject({ status: 'Degraded' });
    const waiting = new AbortController();
    const connected = broker.whenConnected(waiting.signal);
    waiting.abort(new Error('enough'));
    await expect(connected).rejects.toThrow('enough');
    await broker.close();
    expect(broker.state()).toBe('closed');
    await expect(broker.whenConnected()).rejects.toThrow('closed');
  });
});

describe('a broker that misbehaves', () => {
  it('closes the connections: publishes in flight fail, the next ones use new connections', async () => {
    const broker = fixture.broker();
    const states: string[] = [];
    broker.onStateChange((state) => states.push(state));
    await broker.whenConnected();
    await eventually(async () => expect(await fixture.vhost.closeConnections()).toBeGreaterThan(0));
    await eventually(() => expect(states).toContain('connecting'));
    await eventually(async () => expect(await broker.publish([message()])).toEqual([{ ok: true }]));
  });

  it('withholds confirms: the deadline ends the wait, and a new channel is opened', async () => {
    const proxy = await tcpProxy(fixture.vhost.url);
    const broker = fixture.broker({ url: proxy.url, confirmTimeoutMs: 2_500 });
    await broker.whenConnected();
    proxy.stall();
    expect(await broker.publish([message(), message()])).toEqual([
      { ok: false, reason: 'timeout' },
      { ok: false, reason: 'timeout' },
    ]);
    expect(await broker.publish([message()])).toMatchObject([{ ok: false, reason: 'disconnected' }]);
    proxy.resume();
    await broker.whenConnected();
    expect(await broker.publish([message()])).toEqual([{ ok: true }]);
    await broker.close();
    await proxy.close();
  });

  it('is blocked by an alarm: nothing is sent until the alarm ends', async () => {
    const proxy = await tcpProxy(fixture.vhost.url);
    const broker = fixture.broker({ url: proxy.url });
    await broker.whenConnected();
    proxy.inject(connectionFrame(60, 'low on disk'));
    await eventually(() => expect(broker.state()).toBe('blocked'));
    expect(await broker.publish([message()])).toEqual([{ ok: false, reason: 'blocked' }]);
    expect((await brokerCheck(broker).check(signal)).description).toContain('alarm');
    const again = broker.whenConnected();
    proxy.inject(connectionFrame(61));
    await again;
    expect(await broker.publish([message()])).toEqual([{ ok: true }]);
    await broker.close();
    await proxy.close();
  });

  it('stops responding: closing does not wait for it', async () => {
    const proxy = await tcpProxy(fixture.vhost.url);
    const broker = fixture.broker({ url: proxy.url });
    await broker.whenConnected();
    proxy.stall();
    await broker.close();
    expect(broker.state()).toBe('closed');
    await proxy.close();
  });
});

describe('topology', () => {
  it('declares the rest if the broker rejects one declaration, and reports it', async () => {
    const model = await connect(fixture.vhost.url);
    const channel = await model.createChannel();
    await channel.assertQueue('work', {
      durable: true,
      arguments: { 'x-queue-type': 'quorum', 'x-max-length': 3 },
    });
    await model.close();

    const broker = fixture.broker();
    await broker.whenConnected();
    expect(broker.faults()).toEqual([expect.stringMatching(/^queue work: .*PRECONDITION_FAILED.*/)]);
    expect(fixture.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        details: expect.objectContaining({ declaration: 'queue work' }),
      }),
    );
    expect(await brokerCheck(broker).check(signal)).toMatchObject({
      status: 'Degraded',
      data: { state: 'connected' },
    });
    // Bound to the existing queue.
    expect(await broker.publish([message()])).toEqual([{ ok: true }]);
  });

  it('deletes what an earlier build declared, with what it holds', async () => {
    const model = await connect(fixture.vhost.url);
    const channel = await model.createChannel();
    await channel.assertExchange('old', 'fanout');
    await channel.assertQueue('old', { durable: true, arguments: { 'x-queue-type': 'quorum' } });
    await channel.bindQueue('old', 'old', '');
    channel.sendToQueue('old', Buffer.from('answers of a respondent'));
    await model.close();

    const broker = fixture.broker({
      topology: { ...topology, obsolete: { exchanges: ['old'], queues: ['old'] } },
    });
    await broker.whenConnected();
    expect(broker.faults()).toEqual([]);
    const names = async (kind: string) =>
      ((await fixture.vhost.api('GET', `/${kind}/:vhost`)) as { name: string }[]).map(({ name }) => name);
    expect(await names('queues')).not.toContain('old');
    expect(await names('exchanges')).not.toContain('old');
  });

  it('may be declared by many at once', async () => {
    const brokers = Array.from({ length: 4 }, () => fixture.broker());
    await Promise.all(brokers.map((broker) => broker.whenConnected()));
    expect(brokers.flatMap((broker) => broker.faults())).toEqual([]);
    const queues = (await fixture.vhost.api('GET', '/queues/:vhost')) as { name: string }[];
    expect(queues.map(({ name }) => name).sort()).toEqual(topology.queues.map(({ name }) => name).sort());
    expect(await brokerCheck(brokers[0]!).check(signal)).toMatchObject({
      status: 'Healthy',
      description: null,
    });
  });
});
