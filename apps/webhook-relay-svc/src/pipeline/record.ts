import { isUtf8 } from 'node:buffer';
import { groupCommit, type Database } from '@canvass/postgres';
import type { Claimed } from './leases';
import { logLateAttempts, recordResults, type ResultColumns } from './record.sql';
import { isOwnFault } from './outcome';
import { nextTry, retryOwnFaultMs } from './schedule';
import type { SendResult } from './sender';

/** A finished attempt, ready for the log. */
export interface Attempt {
  url: string;
  /** The headers as the log shows them. */
  headers: Record<string, string>;
  /** The header as sent; null if nothing was. */
  traceparent: string | null;
  /** The result, its body with secrets masked. */
  result: SendResult;
}

export type ResultStatus = 'delivered' | 'failed' | 'dead' | 'cancelled';

export type Recorder = ReturnType<typeof createRecorder>;

/** Results of one statement, and the bytes of their answers. */
const groupLimits = { items: 250, bytes: 4 * 1024 * 1024 };

/** The time results wait for others, in milliseconds. A statement costs nearly as much for one as for ten. */
const collectMs = 20;
/** Results that wait for no more others: each occupies a place among the deliveries in flight. */
const enough = 8;

interface Ended {
  delivery: Claimed;
  attempt: Attempt | null;
  /** The end by `performance.now()`. */
  endedAt: number;
  status: ResultStatus;
  retryInMs: number | null;
  /** The step of the schedule after it. */
  step: number;
}

/**
 * Results that arrive together are recorded together, with one commit. If no other delivery of the endpoint
 * was due, results of 20 ms are.
 */
export function createRecorder(db: Database, scheduleSeconds: readonly number[]) {
  const bytesOf = ({ attempt }: Ended) => attempt?.result.responseBody.length ?? 0;
  const limits = { ...groupLimits, bytesOf };
  async function write(ended: readonly Ended[]): Promise<(number | null)[]> {
    const rows = await db.query(recordResults(columnsOf(ended)));
    const seconds = new Map(rows.map((row) => [row.id + row.lease, row.end_to_end_seconds]));
    const results = ended.map(({ delivery: { id, lease } }) => seconds.get(id + lease) ?? null);
    const late = ended.filter(({ attempt }, n) => results[n] === null && attempt !== null);
    if (late.length > 0) await db.query(logLateAttempts(columnsOf(late)));
    return results;
  }
  const recordNow = groupCommit(limits, write);
  const recordSoon = groupCommit({ ...limits, waitMs: collectMs, enough }, write);
  const record = (ended: Ended) => (ended.delivery.isFromQueue ? recordNow : recordSoon)(ended);
  return {
    /** The seconds are from the change to the end of this attempt; null if its lease was lost before. */
    async attempt(delivery: Claimed, attempt: Attempt) {
      const after = whatFollows(delivery, attempt.result, scheduleSeconds);
      const endedAt = performance.now();
      return {
        status: after.status,
        endToEndSeconds: await record({ delivery, attempt, endedAt, ...after }),
      };
    },
    /** The settings do not send its event to its endpoint any more. */
    async cancelled(delivery: Claimed): Promise<void> {
      const endedAt = performance.now();
      await record({
        delivery,
        attempt: null,
        endedAt,
        status: 'cancelled',
        retryInMs: null,
        step: delivery.scheduleStep,
      });
    },
  };
}

const columnsOf = (ended: readonly Ended[]): ResultColumns => ({
  tenants: ended.map(({ delivery }) => delivery.tenantId),
  deliveries: ended.map(({ delivery }) => delivery.id),
  endpoints: ended.map(({ delivery }) => delivery.endpointId),
  leases: ended.map(({ delivery }) => delivery.lease),
  statuses: ended.map(({ status }) => status),
  outcomes: ended.map(({ attempt }) => attempt?.result.outcome),
  statusCodes: ended.map(({ attempt }) => attempt?.result.statusCode),
  retriesInMs: ended.map(({ retryInMs }) => retryInMs),
  scheduleSteps: ended.map(({ step }) => step),
  traceparents: ended.map(({ attempt }) => attempt?.traceparent),
  dnsMs: ended.map(({ attempt }) => attempt?.result.dnsMs ?? null),
  connectMs: ended.map(({ attempt }) => attempt?.result.connectMs ?? null),
  tlsMs: ended.map(({ attempt }) => attempt?.result.tlsMs ?? null),
  firstByteMs: ended.map(({ attempt }) => attempt?.result.firstByteMs ?? null),
  totalMs: ended.map(({ attempt }) => attempt?.result.totalMs ?? 0),
  waitedMs: ended.map(({ endedAt }) => performance.now() - endedAt),
  attempts: ended.map(({ attempt, delivery }) => attempt && JSON.stringify(loggedOf(delivery, attempt))),
});

/** An attempt as the log keeps it. The database adds when it started. */
export type LoggedAttempt = { startedAt: string } & ReturnType<typeof loggedOf>;

/** The cut of a truncated text may be within a character. */
const isText = ({ responseBody: body, responseTruncated }: SendResult): boolean =>
  isUtf8(body) || (responseTruncated && [1, 2, 3].some((cut) => isUtf8(body.subarray(0, body.length - cut))));

const rounded = (ms: number) => Math.round(ms * 1000) / 1000;
const roundedOrNull = (ms: number | null) => ms && rounded(ms);

function loggedOf({ attempts }: Claimed, { url, headers, result }: Attempt) {
  return {
    number: attempts + 1,
    outcome: result.outcome,
    statusCode: result.statusCode,
    error: result.error,
    url,
    remoteAddress: result.remoteAddress,
    milliseconds: {
      dns: roundedOrNull(result.dnsMs),
      connect: roundedOrNull(result.connectMs),
      tls: roundedOrNull(result.tlsMs),
      firstByte: roundedOrNull(result.firstByteMs),
      total: rounded(result.totalMs),
    },
    requestHeaders: headers,
    responseBody: result.responseBody.toString('utf8'),
    // Absent members cost no space; readers take them as null.
    ...(result.responseHeaders === null ? {} : { responseHeaders: result.responseHeaders }),
    ...(isText(result) ? {} : { responseBodyBase64: result.responseBody.toString('base64') }),
    responseTruncated: result.responseTruncated,
  };
}

function whatFollows(
  { scheduleStep, attempts }: Claimed,
  result: SendResult,
  scheduleSeconds: readonly number[],
): Pick<Ended, 'status' | 'retryInMs' | 'step'> {
  const step = scheduleStep + 1;
  if (result.outcome === 'success') return { status: 'delivered', retryInMs: null, step };
  if (isOwnFault(result.outcome))
    return { status: 'failed', retryInMs: retryOwnFaultMs(attempts + 1), step: scheduleStep };
  const next = nextTry(step, scheduleSeconds, result.retryAfterMs);
  return next.kind === 'dead'
    ? { status: 'dead', retryInMs: null, step }
    : { status: 'failed', retryInMs: next.afterMs, step };
}
