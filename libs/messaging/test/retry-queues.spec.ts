import { eventually, testVhost, type TestVhost } from '@canvass/testing';
import { connect, type ChannelModel, type ConfirmChannel } from 'amqplib';

/**
 * How the servers that we start and those of `docker-compose.yml` are set up: RabbitMQ by itself would let a message that
 * comes out of a retry queue and is refused wait three minutes more.
 */
let vhost: TestVhost;
let model: ChannelModel;
let channel: ConfirmChannel;
beforeEach(async () => {
  vhost = await testVhost();
  model = await connect(vhost.url);
  channel = await model.createConfirmChannel();
});
afterEach(async () => {
  await model.close();
  await vhost.drop();
});

const limited = { 'x-queue-type': 'quorum', 'x-overflow': 'reject-publish' };

it('a message that finds its queue full when its wait is over comes soon after there is room', async () => {
  await channel.assertQueue('work', { arguments: { ...limited, 'x-max-length': 1 } });
  await channel.assertQueue('work.retry', {
    arguments: {
      ...limited,
      'x-message-ttl': 100,
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': 'work',
      'x-dead-letter-strategy': 'at-least-once',
    },
  });
  // The limit of a quorum queue is not exact: it is filled until it refuses.
  const fill = () =>
    new Promise<boolean>((resolve) =>
      channel.sendToQueue('work', Buffer.from('first'), {}, (error) => resolve(!error)),
    );
  while (await fill());
  channel.sendToQueue('work.retry', Buffer.from('waited'));
  await channel.waitForConfirms();
  await refusedOnce();

  await eventually(async () => expect(await taken()).toBe('waited'));
});

/** Of the retry queue nothing is ready any more: its message was sent on, and has had the time to be refused. */
async function refusedOnce(): Promise<void> {
  await eventually(async () => expect((await channel.checkQueue('work.retry')).messageCount).toBe(0));
  await new Promise((resolve) => setTimeout(resolve, 500));
}

async function taken(): Promise<string | undefined> {
  const message = await channel.get('work', { noAck: true });
  return message === false ? undefined : message.content.toString();
}
