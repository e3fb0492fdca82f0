import type { Channel, ChannelModel } from 'amqplib';
import type { Topology } from '@canvass/contracts';
import type { Log } from './broker';
import { messageOf } from './link';

interface Declaration {
  what: string;
  declare(channel: Channel): Promise<unknown>;
  /** Fails if it does not exist. Needs no rights. Absent where that cannot be asked. */
  find?(channel: Channel): Promise<unknown>;
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
      find: (channel: Channel) => channel.checkExchange(exchange.name),
    })),
    ...topology.queues.map((queue) => ({
      what: `queue ${queue.name}`,
      declare: (channel: Channel) =>
        channel.assertQueue(queue.name, { durable: true, arguments: queue.arguments }),
      find: (channel: Channel) => channel.checkQueue(queue.name),
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
 * queue that exists with other arguments (406). A rejected declaration is logged and skipped. A user without
 * the right to declare (403) only looks whether everything exists. Returns what was rejected or is missing;
 * throws if the connection is lost.
 */
export async function declareTopology(
  model: ChannelModel,
  topology: Topology,
  logger: Log,
): Promise<string[]> {
  const refused: string[] = [];
  let mayDeclare = true;
  let channel = await openChannel(model);
  for (const { what, declare, find } of declarationsOf(topology)) {
    try {
      if (mayDeclare) {
        mayDeclare = await declare(channel).then(() => true, whenRefused);
        if (!mayDeclare) channel = await openChannel(model);
      }
      if (!mayDeclare) await find?.(channel);
    } catch (error) {
      const code = (error as { code?: number }).code;
      if (code !== 406 && code !== 404) throw error;
      refused.push(`${what}: ${messageOf(error)}`);
      logger.error(
        { declaration: what, code, error: messageOf(error) },
        mayDeclare
          ? 'the broker rejected a declaration; an operator must remove the existing one'
          : 'it does not exist, and the user may not declare it; provision the broker',
      );
      channel = await openChannel(model);
    }
  }
  await channel.close();
  return refused;
}

/** False for a refused right; all other errors are thrown. */
function whenRefused(error: unknown): false {
  if ((error as { code?: number }).code === 403) return false;
  throw error;
}

async function openChannel(model: ChannelModel): Promise<Channel> {
  const channel = await model.createChannel();
  channel.on('error', () => undefined); // the failed call reports it
  return channel;
}
