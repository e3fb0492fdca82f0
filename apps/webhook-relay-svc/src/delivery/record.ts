import type { Database } from '@canvass/postgres';
import type { Claimed } from './claim';
import { recordAttempt, recordCancelled, releaseLease, type RecordedRow } from './record.sql';
import { nextTry, retryAfterMs } from './schedule';
import type { SendResult } from './sender';

/** A finished attempt, ready for the log. */
export interface Attempt {
  url: string;
  /** As the log shows them. */
  headers: Record<string, string>;
  /** Its body with secrets masked. */
  result: SendResult;
}

export type FinalStatus = 'delivered' | 'failed' | 'dead';

export interface Recorded {
  status: FinalStatus;
  /** Seconds from the change to the end of this attempt; null when the lease was lost and the result does not count. */
  endToEndSeconds: number | null;
}

export interface Recorder {
  attempt(delivery: Claimed, attempt: Attempt): Promise<Recorded>;
  /** The endpoint is no longer in the settings. */
  cancelled(delivery: Claimed): Promise<void>;
  /** Gives the delivery back untried. */
  release(delivery: Claimed): Promise<void>;
}

const gone = 410;

export function createRecorder(db: Database, scheduleSeconds: readonly number[]): Recorder {
  const lease = ({ tenantId, id, token }: Claimed) => [tenantId, id, token];
  return {
    async attempt(delivery, { url, headers, result }) {
      const after = whatFollows(delivery, result, scheduleSeconds);
      const [row] = await db.query<RecordedRow>(recordAttempt, [
        ...lease(delivery),
        delivery.endpointId,
        delivery.attempts + 1,
        result.outcome,
        result.statusCode,
        result.error,
        url,
        result.remoteAddress,
        result.dnsMs,
        result.connectMs,
        result.tlsMs,
        result.firstByteMs,
        result.totalMs,
        JSON.stringify(headers),
        result.responseBody,
        result.responseTruncated,
        after.status,
        after.retryInMs,
        delivery.scheduleStep + (after.status === 'delivered' ? 0 : 1),
        result.statusCode === gone,
      ]);
      return { status: after.status, endToEndSeconds: row?.end_to_end_seconds ?? null };
    },
    cancelled: async (delivery) => void (await db.query(recordCancelled, lease(delivery))),
    release: async (delivery) => void (await db.query(releaseLease, lease(delivery))),
  };
}

function whatFollows(
  delivery: Claimed,
  result: SendResult,
  scheduleSeconds: readonly number[],
): { status: FinalStatus; retryInMs: number | null } {
  if (result.outcome === 'success') return { status: 'delivered', retryInMs: null };
  const asked = retryAfterMs(result.retryAfter, result.date);
  const next = nextTry(delivery.scheduleStep + 1, scheduleSeconds, asked);
  return next.kind === 'dead'
    ? { status: 'dead', retryInMs: null }
    : { status: 'failed', retryInMs: next.afterMs };
}
