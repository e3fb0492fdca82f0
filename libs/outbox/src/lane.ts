import type { Broker, Log } from '@canvass/messaging';
import type pg from 'pg';
import { messageOf, type OutboxRow } from './envelope';
import { deleteRows, moveToPoison, oldestRows } from './outbox.sql';

export interface LaneDeps {
  client: Pick<pg.PoolClient, 'query'>;
  broker: Broker;
  log: Log;
  batchSize: number;
  onPublished(count: number): void;
  onFailed(reason: string, count: number): void;
}

/** `more`: a full batch went out, there may be further rows; `failed`: something is left that should have gone. */
export type BatchResult = 'empty' | 'some' | 'more' | 'failed';

/**
 * Publishes the oldest rows of a lane and deletes those that RabbitMQ confirmed. Between the two no transaction is open:
 * the lane's advisory lock keeps others away, so a broker that is slow to confirm holds back no vacuum and no writer.
 * Killed in between, the rows are published again with the same ids.
 */
export async function publishBatch(lane: number, deps: LaneDeps): Promise<BatchResult> {
  const { client, broker, log } = deps;
  const { rows } = await client.query<OutboxRow>({ ...oldestRows, values: [lane, deps.batchSize] });
  if (rows.length === 0) return 'empty';

  const results = await broker.publish(rows.map(messageOf));
  const confirmed: string[] = [];
  const failures = new Map<string, number>();
  for (const [index, row] of rows.entries()) {
    const result = results[index];
    if (result?.ok) {
      confirmed.push(row.id);
    } else if (result?.reason === 'invalid') {
      const reason = result.detail ?? 'it cannot be encoded';
      log.error({ eventId: row.event_id, type: row.event_type, reason }, 'moved an event to outbox_poison');
      await client.query({ ...moveToPoison, values: [lane, row.id, reason] });
      deps.onFailed('invalid', 1);
    } else {
      const reason = result?.reason ?? 'no result';
      failures.set(reason, (failures.get(reason) ?? 0) + 1);
    }
  }
  if (confirmed.length > 0) {
    await client.query({ ...deleteRows, values: [lane, confirmed] });
    deps.onPublished(confirmed.length);
  }
  for (const [reason, count] of failures) {
    deps.onFailed(reason, count);
    log.warn({ lane, reason, count }, 'events were not taken by the broker and wait in the outbox');
  }
  if (failures.size > 0) return 'failed';
  return rows.length === deps.batchSize ? 'more' : 'some';
}
