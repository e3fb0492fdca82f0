import type { Broker, OutgoingMessage, PublishResult } from '@canvass/messaging';
import { exchanges, isRequiredEvent, type EventHeaders } from '@canvass/contracts';
import { envelopeBytes, type OutboxRow } from './envelope';

export interface BatchResult {
  rows: readonly OutboxRow[];
  /** Rows to delete. */
  confirmed: OutboxRow[];
  poisonous: { row: OutboxRow; reason: string }[];
  /** The first failure of each entity that had one. Later events of these entities were not sent. */
  failures: Failure[];
}

export interface Failure {
  row: OutboxRow;
  /** Returns whether an earlier event of the entity was published in the same batch. */
  progressed: boolean;
  result: Extract<PublishResult, { ok: false }>;
}

interface BatchOptions {
  broker: Pick<Broker, 'publish'>;
  rows: readonly OutboxRow[];
  /** Asked between waves. If it returns false, the rest waits for another batch. */
  mayContinue(): boolean;
  onPublished?: ((rows: readonly OutboxRow[]) => void) | undefined;
}

/** Limits how long the other events of a batch wait for an entity with many. */
const maxWaves = 20;

/**
 * Publishes the rows. An event is sent only when the previous one of the same entity is confirmed, so a
 * failure never lets a later event overtake. An event that no queue of Canvass needs is published even if the
 * broker returns it: it has no consumer. Never throws.
 */
export async function publishBatch(options: BatchOptions): Promise<BatchResult> {
  const { rows, broker } = options;
  const result: BatchResult = { rows, confirmed: [], poisonous: [], failures: [] };
  const stuck = new Set<string>();
  const progressed = new Set<string>();
  for (const [at, wave] of wavesOf(rows).entries()) {
    if (at >= maxWaves || (at > 0 && !options.mayContinue())) break;
    const sending: OutboxRow[] = [];
    const messages: OutgoingMessage[] = [];
    for (const row of wave) {
      if (stuck.has(row.entityId)) continue;
      try {
        messages.push(messageOf(row));
        sending.push(row);
      } catch (error) {
        result.poisonous.push({ row, reason: (error as Error).message });
      }
    }
    if (sending.length === 0) continue;
    const outcomes = await broker.publish(messages);
    const isPublished = (row: OutboxRow, outcome: PublishResult) =>
      outcome.ok || (outcome.reason === 'returned' && !isRequiredEvent(row.eventType));
    options.onPublished?.(sending.filter((row, index) => isPublished(row, outcomes[index]!)));
    sending.forEach((row, index) => {
      const outcome = outcomes[index]!;
      if (outcome.ok || isPublished(row, outcome)) {
        result.confirmed.push(row);
        progressed.add(row.entityId);
      } else if (outcome.reason === 'invalid')
        result.poisonous.push({ row, reason: outcome.detail ?? 'not a message' });
      else {
        stuck.add(row.entityId);
        result.failures.push({ row, progressed: progressed.has(row.entityId), result: outcome });
      }
    });
  }
  return result;
}

/** The n-th wave holds the n-th event of each entity. */
function wavesOf(rows: readonly OutboxRow[]): OutboxRow[][] {
  const waves: OutboxRow[][] = [];
  const seen = new Map<string, number>();
  for (const row of rows) {
    const at = seen.get(row.entityId) ?? 0;
    seen.set(row.entityId, at + 1);
    (waves[at] ??= []).push(row);
  }
  return waves;
}

function messageOf(row: OutboxRow): OutgoingMessage {
  return {
    exchange: exchanges.events,
    routingKey: row.eventType,
    messageId: row.eventId,
    body: envelopeBytes(row),
    headers: {
      tenant: row.tenantId,
      'schema-version': 1,
      ...(row.traceparent === null ? {} : { traceparent: row.traceparent }),
    } satisfies EventHeaders,
  };
}
