import type { Database } from '@canvass/postgres';
import { groupCommit } from '../group-commit';
import type { Claimed } from './claim';
import { recordAttempts, recordCancelled, releaseLease, type RecordedRow } from './record.sql';
import { nextTry, retryAfterMs } from './schedule';
import type { SendResult } from './sender';

/** A finished attempt, ready for the log. */
export interface Attempt {
  url: string;
  /** As the log shows them. */
  headers: Record<string, string>;
  /** As sent; null when nothing was. */
  traceparent: string | null;
  /** Its body with secrets masked. */
  result: SendResult;
}

export type FinalStatus = 'delivered' | 'failed' | 'dead';

interface Recorded {
  status: FinalStatus;
  /**
   * Seconds from the change to the end of this attempt; null when the lease was lost and the result does not
   * count.
   */
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

/** Attempts of one statement. */
const mostAtOnce = 250;

interface Finished extends Attempt {
  delivery: Claimed;
  after: ReturnType<typeof whatFollows>;
}

/** Attempts that end together are recorded together, with one commit. */
export function createRecorder(db: Database, scheduleSeconds: readonly number[]): Recorder {
  const lease = ({ tenantId, id, token }: Claimed) => [tenantId, id, token];
  const record = groupCommit<Finished, number | null>(mostAtOnce, async (take) => {
    const finished = take();
    const rows = await db.query<RecordedRow>(recordAttempts, columnsOf(finished));
    const seconds = new Map(rows.map((row) => [row.id + row.token, row.end_to_end_seconds]));
    return finished.map(({ delivery: { id, token } }) => seconds.get(id + token) ?? null);
  });
  return {
    async attempt(delivery, attempt) {
      const after = whatFollows(delivery, attempt.result, scheduleSeconds);
      const endToEndSeconds = await record({ ...attempt, delivery, after });
      return { status: after.status, endToEndSeconds };
    },
    cancelled: async (delivery) => void (await db.query(recordCancelled, lease(delivery))),
    release: async (delivery) => void (await db.query(releaseLease, lease(delivery))),
  };
}

/** Parameters of `recordAttempts`. */
function columnsOf(finished: readonly Finished[]): unknown[][] {
  return [
    finished.map(({ delivery }) => delivery.tenantId),
    finished.map(({ delivery }) => delivery.id),
    finished.map(({ delivery }) => delivery.token),
    finished.map(({ delivery }) => delivery.endpointId),
    finished.map(({ delivery }) => delivery.attempts + 1),
    finished.map(({ result }) => result.outcome),
    finished.map(({ result }) => result.statusCode),
    finished.map(({ result }) => result.error),
    finished.map(({ url }) => url),
    finished.map(({ result }) => result.remoteAddress),
    finished.map(({ result }) => result.dnsMs),
    finished.map(({ result }) => result.connectMs),
    finished.map(({ result }) => result.tlsMs),
    finished.map(({ result }) => result.firstByteMs),
    finished.map(({ result }) => result.totalMs),
    finished.map(({ headers }) => JSON.stringify(headers)),
    finished.map(({ result }) => result.responseBody),
    finished.map(({ result }) => result.responseTruncated),
    finished.map(({ after }) => after.status),
    finished.map(({ after }) => after.retryInMs),
    finished.map(({ delivery, after }) => delivery.scheduleStep + (after.status === 'delivered' ? 0 : 1)),
    finished.map(({ result }) => result.statusCode === gone),
    finished.map(({ traceparent }) => traceparent),
  ];
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
