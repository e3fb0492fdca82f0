import type { ConsumeMessage } from 'amqplib';
import { exchanges, retryQueueName, retryTiersMs } from '@canvass/contracts';
import type { IncomingMessage, OutgoingMessage } from './broker';

/**
 * A message returns from a retry queue under the name of its work queue. These headers keep the original
 * values.
 */
const retriesHeader = 'x-retry-count';
const causeHeader = 'x-retry-cause';
const causeCountHeader = 'x-retry-cause-count';
export const routingKeyHeader = 'x-original-routing-key';

/** Headers that the broker sets. A copy starts without them. */
const brokerHeaders = /^x-(delivery-count|death|first-death-.*|last-death-.*|acquired-count)$/;

const ownHeaders = new Set([retriesHeader, causeHeader, causeCountHeader]);

/** The headers of the producer and earlier consumers, without the number of tries. */
export function withoutBrokerHeaders(headers: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(headers).filter(([name]) => !brokerHeaders.test(name) && !ownHeaders.has(name));
  return Object.fromEntries(kept);
}

export function incomingOf({ content, fields, properties }: ConsumeMessage): IncomingMessage {
  const headers: Record<string, unknown> = properties.headers ?? {};
  const routingKey = headers[routingKeyHeader];
  const cause = headers[causeHeader];
  return {
    messageId: String(properties.messageId ?? ''),
    routingKey: typeof routingKey === 'string' ? routingKey : fields.routingKey,
    body: content,
    headers,
    redelivered: fields.redelivered,
    deliveryCount: countOf(headers['x-delivery-count']) + countOf(headers[retriesHeader]),
    retriesOfCause:
      typeof cause === 'string' ? { cause, count: countOf(headers[causeCountHeader]) } : undefined,
  };
}

/** The copy for the retry queue. It returns to `queue` after the delay. */
export function retryCopyOf(
  queue: string,
  { properties }: ConsumeMessage,
  incoming: IncomingMessage,
  { retryInMs, cause }: { retryInMs: number; cause?: string },
): OutgoingMessage {
  const tier = retryTiersMs.find((ms) => ms >= retryInMs) ?? retryTiersMs[retryTiersMs.length - 1]!;
  const kept = withoutBrokerHeaders(incoming.headers);
  const last = incoming.retriesOfCause;
  const before = last !== undefined && last.cause === cause ? last.count : 0;
  const contentType: unknown = properties.contentType;
  return {
    exchange: exchanges.queues,
    routingKey: retryQueueName(queue, tier),
    messageId: incoming.messageId,
    body: incoming.body,
    headers: {
      ...kept,
      [routingKeyHeader]: incoming.routingKey,
      [retriesHeader]: incoming.deliveryCount + 1,
      ...(cause === undefined ? {} : { [causeHeader]: cause, [causeCountHeader]: before + 1 }),
    },
    ...(typeof contentType === 'string' ? { contentType } : {}),
  };
}

function countOf(header: unknown): number {
  return typeof header === 'number' && header > 0 ? header : 0;
}
