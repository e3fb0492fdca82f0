import type { Channel, ChannelModel } from 'amqplib';
import type { QueueDeclaration, Topology } from '@canvass/contracts';
import type { Log } from './broker';
import { messageOf } from './link';

interface Declaration {
  what: string;
  declare(channel: Channel): Promise<unknown>;
  /** Declares it as an earlier build did; absent if that was the same. */
  declareEarlier?(channel: Channel): Promise<unknown>;
  /** Fails if it does not exist. Needs no rights. Absent where that cannot be asked. */
  find?(channel: Channel): Promise<unknown>;
  /** Declares it if it is missing, which the owner of a queue may do. */
  restore?(channel: Channel): Promise<unknown>;
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
    ...topology.queues.map(declarationOfQueue),
    ...topology.queues.flatMap((queue) =>
      queue.bindings.map(({ exchange, routingKey }) => ({
        what: `binding of ${queue.name} to ${exchange} ${routingKey}`,
        declare: (channel: Channel) => channel.bindQueue(queue.name, exchange, routingKey),
      })),
    ),
  ];
}

function declarationOfQueue({ name, arguments: args, earlier, bindings }: QueueDeclaration): Declaration {
  const declareWith = (given: Record<string, unknown>) => (channel: Channel) =>
    channel.assertQueue(name, { durable: true, arguments: given });
  return {
    what: `queue ${name}`,
    declare: declareWith(args),
    ...(earlier && { declareEarlier: declareWith(earlier) }),
    find: (channel) => channel.checkQueue(name),
    restore: async (channel) => {
      await declareWith(args)(channel);
      for (const { exchange, routingKey } of bindings) await channel.bindQueue(name, exchange, routingKey);
    },
  };
}

/**
 * Declares everything on channels of its own, because the broker closes the channel of a rejected
 * declaration: a queue that exists with other arguments (406). A rejected declaration is logged and skipped.
 * A user without the right to declare (403) only looks whether everything exists, and declares the queues of
 * its own that are missing. Returns what was rejected or is missing; throws if the connection is lost.
 */
export async function declareTopology(
  model: ChannelModel,
  topology: Topology,
  logger: Log,
): Promise<string[]> {
  const refused: string[] = [];
  let mayDeclare = true;
  let channel = await openChannel(model);
  /** Null if it succeeds, else the refusal of the broker, after which there is another channel. */
  async function refusalOf(act: ((on: Channel) => Promise<unknown>) | undefined): Promise<Refusal | null> {
    try {
      await act?.(channel);
      return null;
    } catch (error) {
      if (!refusals.includes((error as Refusal).code)) throw error;
      channel = await openChannel(model);
      return error as Refusal;
    }
  }
  for (const { what, declare, declareEarlier, find, restore } of declarationsOf(topology)) {
    let refusal = mayDeclare ? await refusalOf(declare) : null;
    if (refusal?.code === 406 && declareEarlier) refusal = await refusalOf(declareEarlier);
    if (refusal?.code === 403) {
      mayDeclare = false;
      refusal = null;
    }
    if (!mayDeclare) {
      refusal = await refusalOf(find);
      // RabbitMQ 4.3 also refuses the question. Whether it exists, the service that owns it sees.
      if (refusal?.code === 403) refusal = null;
    }
    if (!mayDeclare && refusal?.code === 404 && restore) {
      refusal = await refusalOf(restore);
      if (refusal === null) logger.warn({ declaration: what }, 'it was missing and is declared again');
    }
    if (refusal === null) continue;
    const error = messageOf(refusal);
    refused.push(`${what}: ${error}`);
    logger.error(
      { declaration: what, code: refusal.code, error },
      mayDeclare
        ? 'the broker rejected a declaration; an operator must remove the existing one'
        : 'it does not exist, and the user may not declare it; provision the broker',
    );
  }
  await channel.close();
  return refused;
}

/** An answer that closes the channel: no right, not found, exists with other arguments. */
type Refusal = Error & { code: 403 | 404 | 406 };
const refusals = [403, 404, 406];

async function openChannel(model: ChannelModel): Promise<Channel> {
  const channel = await model.createChannel();
  channel.on('error', () => undefined); // the failed call reports it
  return channel;
}
