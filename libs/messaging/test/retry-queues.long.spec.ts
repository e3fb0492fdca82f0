import { eventually, testVhost, type TestVhost } from '@canvass/testing';
import { connect, type ChannelModel, type ConfirmChannel } from 'amqplib';

/**
 * Uses the server configuration of `npm start` and `docker-compose.yml`. By default RabbitMQ would delay a
 * message that leaves a retry queue and is rejected by another three minutes.
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

it('a message whose queue is full after its delay arrives soon after there is room', async () => {
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
  // The limit of a quorum queue is not exact, so fill the queue until it rejects.
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

/** The retry queue is empty: its message was forwarded and had time to be rejected. */
async function refusedOnce(): Promise<void> {
  await eventually(async () => expect((await channel.checkQueue('work.retry')).messageCount).toBe(0));
  await new Promise((resolve) => setTimeout(resolve, 500));
}

async function taken(): Promise<string | undefined> {
  const message = await channel.get('work', { noAck: true });
  return message === false ? undefined : message.content.toString();
}
