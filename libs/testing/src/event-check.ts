import { eventMessageFault, exchanges } from '@canvass/contracts';
import amqp, { type Channel, type ChannelModel, type Options } from 'amqplib';

const faults: string[] = [];
let malformed = false;

/**
 * For a test that puts something on the events exchange, or into an outbox, that is no event of ours: tells the check to
 * let it pass until the next test begins.
 */
export function expectMalformedEvents(): void {
  malformed = true;
}

/** A test begins. */
export function resetEventCheck(): void {
  malformed = false;
}

/** Holds one message to the contract: its body to the schema of its routing key, its messageId to its id. */
export function checkEvent(routingKey: string, content: Buffer, messageId: unknown): void {
  if (malformed) return;
  const fault = faultOf(routingKey, content.toString(), messageId);
  if (fault !== null) faults.push(fault);
}

function faultOf(routingKey: string, text: string, messageId: unknown): string | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return `${routingKey}: the body is not JSON`;
  }
  const fault = eventMessageFault(routingKey, body);
  if (fault !== null) return `${routingKey}: ${fault}`;
  return (body as { id: string }).id === messageId ? null : `${routingKey}: messageId is not the event's id`;
}

/** What was wrong since the last call. */
export const takeEventFaults = (): string[] => faults.splice(0);

/** @throws {Error} when an event since the last call was not as the contract says */
export function assertNoEventFaults(): void {
  const found = [...new Set(takeEventFaults())];
  if (found.length > 0)
    throw new Error(`Published events differ from libs/contracts:\n${found.slice(0, 20).join('\n')}`);
}

/** Looks at every message that this process publishes to the events exchange, whoever publishes it. */
export function watchPublishedEvents(): void {
  const connect = amqp.connect.bind(amqp);
  Object.assign(amqp, {
    async connect(...args: Parameters<typeof connect>): Promise<ChannelModel> {
      const model = await connect(...args);
      const createChannel = model.createChannel.bind(model);
      const createConfirmChannel = model.createConfirmChannel.bind(model);
      model.createChannel = async () => watched(await createChannel());
      model.createConfirmChannel = async () => watched(await createConfirmChannel());
      return model;
    },
  });
}

function watched<C extends Channel>(channel: C): C {
  const publish = channel.publish.bind(channel) as (...args: unknown[]) => boolean;
  return Object.assign(channel, {
    publish(
      exchange: string,
      routingKey: string,
      content: Buffer,
      options?: Options.Publish,
      ...rest: unknown[]
    ) {
      if (exchange === exchanges.events) checkEvent(routingKey, content, options?.messageId);
      return publish(exchange, routingKey, content, options, ...rest);
    },
  });
}
