import { recordAudit } from '@canvass/audit';
import { notFound, Problem } from '@canvass/errors';
import { cancelJob, readJob, readJobs, startJob, type JobRow, type JobState } from '@canvass/jobs';
import { readBounded, type Queryable, type Transactor } from '@canvass/postgres';
import type { KeyPage, KeyQuery } from '@canvass/service-kit';
import type { DeliveryFilter } from '../log';
import { planOf } from './plan';
import { findEndpointState } from './recoveries.sql';
import { recoveryKind, type RecoveryMode, type RecoveryRequest } from './recovery-request';

/** A recovery as the API shows it. */
export interface RecoveryView {
  id: string;
  mode: RecoveryMode;
  /** Null if deliveries were named. */
  filter: DeliveryFilter | null;
  endpointId: string | null;
  since: Date | null;
  status: JobRow['state'];
  /** The number that the plan counted. */
  total: number;
  /** Made due so far. */
  recovered: number;
  /** The number of them that were delivered. */
  delivered: number;
  /** The number of them that failed at their first attempt since. */
  failedAgain: number;
  /** Deliveries that are not sent: disabled or removed endpoints, erased data, in flight, or cancelled. */
  skipped: number;
  reason: string | null;
  startedBy: JobRow['startedBy'];
  error: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

const viewOf = ({ id, state, request, counts, done: _, kind: _kind, result: _result, ...job }: JobRow) => {
  const { mode, filter, deliveryIds } = request as RecoveryRequest;
  const { recovered = 0, delivered = 0, failedAgain = 0, skipped = 0 } = counts;
  return {
    ...job,
    id,
    mode,
    filter: deliveryIds === null ? filter : null,
    endpointId: filter.endpointId ?? null,
    since: filter.from === undefined ? null : new Date(filter.from),
    status: state,
    recovered,
    delivered,
    failedAgain,
    skipped,
  } satisfies RecoveryView;
};

const advice =
  'Limit the time by from and to, or filter by endpointId, formId or entityId. Without text and outcome it is faster.';

/** Counts what a recovery would take. @throws {Problem} not_found, conflict, `query_too_broad` after 5 s */
export async function planRecovery(db: Transactor, tenantId: string, request: RecoveryRequest) {
  await assertSendable(db, tenantId, request.filter.endpointId);
  return readBounded(db, advice, (tx) => planOf(tx, tenantId, request));
}

export interface NewRecovery {
  tenantId: string;
  /** Words of the caller. */
  reason: string | null;
  request: RecoveryRequest;
}

/**
 * Starts a job that makes all deliveries of a request due, and counts what becomes of them.
 *
 * @param audit what the audit trail keeps of the request; null for a command, which is recorded already
 * @throws {Problem} not_found; conflict if the endpoint of the filter is removed or disabled;
 * `query_too_broad` if they cannot be counted in 5 s
 */
export async function startRecovery(
  db: Transactor,
  { tenantId, reason, request }: NewRecovery,
  audit: object | null,
): Promise<RecoveryView> {
  const { count } = await planRecovery(db, tenantId, request);
  return db.transaction(async (tx) => {
    const job = await startJob(tx, { tenantId, kind: recoveryKind, request, reason, total: count });
    const object = ['webhook_recovery', job.id] as const;
    if (audit !== null) await recordAudit(tx, { tenantId, object, after: audit });
    return viewOf(job);
  });
}

/** The request for all failed and dead deliveries of one endpoint since a time. */
export const failedSince = (endpointId: string, since: Date): RecoveryRequest => ({
  mode: 'failed',
  filter: { endpointId, from: since.toISOString() },
  deliveryIds: null,
});

async function assertSendable(
  db: Queryable,
  tenantId: string,
  endpointId: string | undefined,
): Promise<void> {
  if (endpointId === undefined) return;
  const [found] = await db.query(findEndpointState({ tenantId, endpointId, max: 0 }));
  if (!found) throw notFound('webhook endpoint', endpointId);
  if (found.isRemoved) throw conflict('The endpoint is no longer in the webhook settings.');
  if (found.isDisabled) throw conflict('The endpoint is disabled; enable it first.');
}

/** Newest first. @throws {Problem} `validation_failed` for an invalid cursor */
export const readRecoveries = (
  db: Transactor,
  { tenantId, state }: { tenantId: string; state: JobState | null },
  window: KeyQuery,
): Promise<KeyPage<RecoveryView>> => readJobs(db, { tenantId, state, kinds: [recoveryKind] }, window, viewOf);

/** @throws {Problem} not_found */
export const readRecovery = async (db: Queryable, tenantId: string, id: string): Promise<RecoveryView> =>
  viewOf(await readJob(db, tenantId, id, recoveryKind));

/**
 * Ends a recovery where it is: what was made due stays due. One that has ended stays as it is.
 *
 * @throws {Problem} not_found
 */
export const cancel = async (db: Transactor, tenantId: string, id: string): Promise<RecoveryView> =>
  viewOf(await cancelJob(db, { tenantId, id, kind: recoveryKind, object: 'webhook_recovery' }));

const conflict = (detail: string) => new Problem('conflict', { detail });
