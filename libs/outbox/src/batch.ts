import type { Broker, Log, OutgoingMessage, PublishResult } from '@canvass/messaging';
import { exchanges, type EventHeaders } from '@canvass/contracts';
import type pg from 'pg';
import { envelopeBytes, type OutboxRow } from './envelope';
import { claimRows, poisonRow, removeRows, type ScanStart } from './lane.sql';
import type { Lane } from './lanes';

export interface BatchResult {
  /** Number of rows found; fewer than the limit means that no more rows follow. */
  claimed: number;
  published: number;
  poisoned: number;
  /** The highest id of the claimed rows, or null. */
  lastId: string | null;
  /** The first failure of each entity that had one. Later events of these entities were not sent. */
  failures: Failure[];
}

export interface Failure {
  entityId: string;
  /** Whether an earlier event of the entity was published in the same batch. */
  progressed: boolean;
  result: Extract<PublishResult, { ok: false }>;
}

interface BatchOptions {
  client: pg.ClientBase;
  broker: Pick<Broker, 'publish'>;
  logger: Log;
  lane: Lane;
  limit: number;
  /** Ids of entities to skip. */
  excluded: string[];
  from: ScanStart;
  /** Asked between waves. If it returns false, the rest waits for the next batch. */
  mayContinue(): boolean;
  onPublished?: ((rows: readonly OutboxRow[]) => void) | undefined;
}

/** Limits how long the transaction locks its rows. */
const mostWaves = 20;

/**
 * Claims rows, publishes them and deletes the confirmed ones in one transaction. An event is sent only when
 * the previous one of the same entity is confirmed, so a failure never lets a later event overtake.
 */
export async function dispatchBatch(options: BatchOptions): Promise<BatchResult> {
  const { client, lane } = options;
  await client.query('begin');
  const rows = await claimRows(client, lane, options.limit, options.excluded, options.from);
  const lastId = rows.at(-1)?.id ?? null;
  const result: BatchResult = { claimed: rows.length, published: 0, poisoned: 0, lastId, failures: [] };
  const messages = new Map<OutboxRow, OutgoingMessage>();
  const poisonous: { row: OutboxRow; reason: string }[] = [];
  for (const row of rows) {
    try {
      messages.set(row, messageOf(row));
    } catch (error) {
      poisonous.push({ row, reason: (error as Error).message });
    }
  }

  const confirmed: string[] = [];
  const stuck = new Set<string>();
  const progressed = new Set<string>();
  const waves = wavesOf([...messages.keys()]);
  for (const [at, wave] of waves.entries()) {
    if (at >= mostWaves || (at > 0 && !options.mayContinue())) break;
    const sending = wave.filter((row) => !stuck.has(row.entityId));
    if (sending.length === 0) continue;
    const results = await options.broker.publish(sending.map((row) => messages.get(row)!));
    options.onPublished?.(sending.filter((_row, index) => results[index]!.ok));
    sending.forEach((row, index) => {
      const outcome = results[index]!;
      if (outcome.ok) {
        confirmed.push(row.id);
        progressed.add(row.entityId);
      } else if (outcome.reason === 'invalid')
        poisonous.push({ row, reason: outcome.detail ?? 'not a message' });
      else {
        stuck.add(row.entityId);
        const { entityId } = row;
        result.failures.push({ entityId, progressed: progressed.has(entityId), result: outcome });
      }
    });
  }

  await removeRows(client, lane, confirmed);
  for (const { row, reason } of poisonous) await poisonRow(client, lane, row.id, reason);
  await client.query('commit');
  result.published = confirmed.length;
  result.poisoned = poisonous.length;
  for (const { row, reason } of poisonous) {
    const { eventId, eventType, entityId } = row;
    options.logger.error(
      { lane, eventId, eventType, entityId, reason },
      'unpublishable event moved to outbox_poison',
    );
  }
  return result;
}

/** The n-th wave holds the n-th event of each entity. */
function wavesOf(rows: OutboxRow[]): OutboxRow[][] {
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
