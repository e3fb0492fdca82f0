import type { JobStep } from '@canvass/jobs';
import type { BoundStatement } from '@canvass/postgres';
import { readFilters, type SubmissionFilter } from '../filters';
import {
  deleteMany,
  filterOf,
  hasData,
  nextMatches,
  restoreMany,
  setStatusOfMany,
  type ChangeOfMany,
} from '../submissions';
import type { BulkRequest } from './bulk-request';

/** The place where a job is. */
export interface BulkPlace {
  /** Matches up to this id are done. */
  lastId: string;
}

/** Submissions that one transaction changes: the rows are locked for some hundredths of a second. */
export const changedAtOnce = 100;
const limits = { scanned: 2_000, taken: changedAtOnce, bytes: 8 * 1024 * 1024 };

/** The submissions that a request changes. `condition` is SQL beyond the filter. */
export interface Selection {
  filter: SubmissionFilter;
  condition: string | null;
}

/** @throws {Problem} `validation_failed` for invalid filters */
export function selectionOf(
  tenantId: string,
  { formId, action, status, filter, submissionIds }: Omit<BulkRequest, 'traceparent' | 'audit'>,
  profileFields: readonly string[],
): Selection {
  const { from, to } = filter;
  const asked = filterOf(
    tenantId,
    formId,
    {
      ...filter,
      // A job has them as text.
      from: from ? new Date(from) : null,
      to: to ? new Date(to) : null,
      deleted: action === 'restore',
      ids: submissionIds,
    },
    profileFields,
  );
  if (action === 'restore') return { filter: asked, condition: hasData };
  if (status === null) return { filter: asked, condition: null };
  const conditions = [...asked.conditions, ...readFilters([`status!:${status}`], [])];
  return { filter: { ...asked, conditions }, condition: null };
}

/**
 * A step of a bulk change: changes the next matches as single requests would, with an event and a row of the
 * audit trail for each, in the transaction that saves the place. Then it rests as long as it worked, so that
 * requests have at least half of the time.
 *
 * Counts `changed`, and `skipped`: what the change did not fit any more, or gates that are taken.
 */
export const bulkStep =
  (profileFields: readonly string[]): JobStep<BulkRequest, BulkPlace> =>
  async (tx, { tenantId, id: jobId, request, done, counts, place }) => {
    const startedAt = performance.now();
    const { filter, condition } = selectionOf(tenantId, request, profileFields);
    const window = { after: place.lastId ?? '0', before: jobId };
    const { ids, last, isLast } = await nextMatches(tx, filter, condition, window, limits, true);
    const changed = ids.length === 0 ? 0 : (await tx.query(changeOf(tenantId, request, ids)))[0]!.changed;
    const { changed: before = 0, skipped = 0 } = counts;
    return {
      state: isLast ? 'done' : 'running',
      done: done + ids.length,
      counts: { changed: before + changed, skipped: skipped + ids.length - changed },
      place: { lastId: last },
      pauseMs: performance.now() - startedAt,
    };
  };

function changeOf(
  tenantId: string,
  { formId, action, status, traceparent, audit }: BulkRequest,
  ids: readonly string[],
): BoundStatement<{ changed: number }> {
  const change: ChangeOfMany = { tenantId, formId, ids, traceparent, audit };
  if (action === 'status') return setStatusOfMany({ ...change, status: status! });
  return action === 'delete' ? deleteMany(change) : restoreMany(change);
}
