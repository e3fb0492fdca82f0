import type { Channel, ChannelModel } from 'amqplib';
import type { Topology } from '@canvass/contracts';
import type { Log } from './broker';
import { messageOf } from './link';

interface Declaration {
  what: string;
  declare(channel: Channel): Promise<unknown>;
}

/** Exchanges come before the queues that bind to them. Deleting what does not exist succeeds. */
function declarationsOf(topology: Topology): Declaration[] {
  const { obsolete = { exchanges: [], queues: [] } } = topology;
  return [
    ...obsolete.exchanges.map((name) => ({
      what: `removal of exchange ${name}`,
      declare: (channel: Channel) => channel.deleteExchange(name),
    })),
    ...obsolete.queues.map((name) => ({
      what: `removal of queue ${name}`,
      declare: (channel: Channel) => channel.deleteQueue(name),
    })),
    ...topology.exchanges.map((exchange) => ({
      what: `exchange ${exchange.name}`,
      declare: (channel: Channel) =>
        channel.assertExchange(exchange.name, exchange.type, {
          durable: true,
          arguments: exchange.arguments,
        }),
    })),
    ...topology.queues.map((queue) => ({
      what: `queue ${queue.name}`,
      declare: (channel: Channel) =>
        channel.assertQueue(queue.name, { durable: true, arguments: queue.arguments }),
    })),
    ...topology.queues.flatMap((queue) =>
      queue.bindings.map(({ exchange, routingKey }) => ({
        what: `binding of ${queue.name} to ${exchange} ${routingKey}`,
        declare: (channel: Channel) => channel.bindQueue(queue.name, exchange, routingKey),
      })),
    ),
  ];
}

/**
 * Declares everything on its own channel, because the broker closes the channel of a rejected declaration: a
 * queue that exists with other arguments (406), or missing rights (403). A rejected declaration is logged and
 * skipped. Returns the rejected ones; throws if the connection is lost.
 */
export async function declareTopology(
  model: ChannelModel,
  topology: Topology,
  logger: Log,
): Promise<string[]> {
  const refused: string[] = [];
  let channel = await openChannel(model);
  for (const { what, declare } of declarationsOf(topology)) {
    try {
      await declare(channel);
    } catch (error) {
      const code = (error as { code?: number }).code;
      if (code !== 406 && code !== 403 && code !== 404) throw error;
      refused.push(`${what}: ${messageOf(error)}`);
      logger.error(
        { declaration: what, code, error: messageOf(error) },
        'the broker rejected a declaration; an operator must remove the existing one',
      );
      channel = await openChannel(model);
    }
  }
  await channel.close();
  return refused;
}

async function openChannel(model: ChannelModel): Promise<Channel> {
  const channel = await model.createChannel();
  channel.on('error', () => undefined); // the failed call reports it
  return channel;
}
