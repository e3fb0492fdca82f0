import { createHash } from 'node:crypto';
import { exchanges, type EventEnvelope } from '@canvass/contracts';
import { createBroker, type Broker, type IncomingMessage } from '@canvass/messaging';
import type { Entity, SeenEvent } from '../records';

/** What the checker changes, and what the relay reports of itself. */
const patterns = ['submission.*', 'form.*', 'datalist.*', 'tenant.*', 'webhook.*'];

const queue = {
  name: 'chaos.tap',
  arguments: { 'x-queue-type': 'quorum' },
  bindings: patterns.map((routingKey) => ({ exchange: exchanges.events, routingKey })),
};
const silent = () => undefined;
const logger = { debug: silent, info: silent, warn: silent, error: silent };

/**
 * Consumes every event of an entity from a durable queue of the checker's own. Resolves when the queue is
 * bound, which must be before the first change: then it gets everything the broker accepts.
 */
export async function tapEvents(amqpUrl: string, record: (event: SeenEvent) => void): Promise<Broker> {
  const topology = { exchanges: [], queues: [queue] };
  const broker = createBroker({ Url: amqpUrl }, { name: 'chaos checker', topology, logger });
  await broker.whenConnected(AbortSignal.timeout(120_000));
  broker.consume(queue.name, { prefetch: 500 }, (message) => {
    record(eventOf(message));
    return Promise.resolve('ack');
  });
  return broker;
}

function eventOf({ body }: IncomingMessage): SeenEvent {
  const envelope = JSON.parse(body.toString('utf8')) as EventEnvelope;
  const { id, type, formId, revision, settings } = envelope;
  const entity = envelope.entity as Entity;
  return {
    at: Date.now(),
    id,
    type,
    key: `${entity} ${envelope.entityId}`,
    formId,
    revision,
    settings,
    digest: createHash('sha256').update(body).digest('base64'),
    marker: markerOf(entity, envelope.data as unknown as Record<string, unknown>),
  };
}

/** Returns the marker of a change, found in what an API, an event or a webhook shows of the entity. */
export function markerOf(entity: Entity, shown: Record<string, unknown>): string | null {
  if (entity === 'submission') return submissionMarker(shown['jsonData']);
  if (entity === 'form') return typeof shown['name'] === 'string' ? shown['name'] : null;
  return null;
}

/**
 * Returns the marker within `jsonData`. It is copied: a match of a regular expression refers to the whole
 * text, so that the records of a long run would keep all answers in memory.
 */
export function submissionMarker(jsonData: unknown): string | null {
  const marker = /"m":"([^"]+)"/.exec(String(jsonData))?.[1];
  return marker === undefined ? null : Buffer.from(marker).toString();
}

/** Answers that contain the marker. */
export const jsonDataOf = (marker: string): string => JSON.stringify({ m: marker, country: 'IS' });
