import { eventMessageFault, exchanges } from '@canvass/contracts';
import amqp, { type Channel, type ChannelModel, type Options } from 'amqplib';

const faults: string[] = [];
let malformed = false;

/**
 * Turns the check off until the next test starts, for a test that publishes malformed events or puts them
 * into an outbox.
 */
export function expectMalformedEvents(): void {
  malformed = true;
}

/** Turns the check on, at the start of a test. */
export function resetEventCheck(): void {
  malformed = false;
}

/** Checks one message: its body with the schema of its routing key, its messageId with its id. */
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

/** Returns and clears the faults since the last call. */
export const takeEventFaults = (): string[] => faults.splice(0);

/** @throws {Error} if an event since the last call broke its contract */
export function assertNoEventFaults(): void {
  const found = [...new Set(takeEventFaults())];
  if (found.length > 0)
    throw new Error(`Published events differ from libs/contracts:\n${found.slice(0, 20).join('\n')}`);
}

/** Checks every message that this process publishes to the events exchange, by patching `amqp.connect`. */
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
