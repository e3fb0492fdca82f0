import { auditFacts } from '@canvass/audit';
import type { Principal } from '@canvass/auth';
import type { SubmissionView } from '@canvass/contracts';
import { notFound, Problem, validationProblem } from '@canvass/errors';
import type { Wake } from '@canvass/outbox';
import type { Tx } from '@canvass/postgres';
import { assertIfMatch, currentContext, type IfMatch } from '@canvass/service-kit';
import { saveChecked, type CheckDeps } from './check-answers';
import { isTooDeep } from './json-text';
import { mergeMetadata } from './merge-metadata';
import {
  lockById,
  lockByLink,
  lockByToken,
  saveById,
  saveByLink,
  saveByToken,
  type LockedRow,
} from './save.sql';
import { depthFault, wakeTimeOf, type SubmissionChanges } from './submission-body';
import { assertHeld, type TokenRevocations } from './submission-token';

export interface Save {
  /** Tenant of the caller or link; null for an anonymous holder of a token. */
  tenantId: string | null;
  /** Null for staff, who save by id, and for the holder of a link. */
  holder: Principal | null;
  formId: string;
  /** Staff identify it by id, its respondent by token, the holder of a link by what that opens. */
  target: { id: string } | { tokenHash: Buffer } | { linkedId: string; mayEdit: boolean };
  /** Absent members do not change. */
  changes: SubmissionChanges;
  /** PUT replaces `metadata`, PATCH merges it at its top level. */
  metadata: 'replace' | 'merge';
  ifMatch: IfMatch;
  traceparent: string;
}

export interface SaveDeps extends CheckDeps {
  wake: Wake;
  revocations: TokenRevocations;
  maxMetadataBytes: number;
  /** Minutes for which a closed form takes saves of unfinished submissions. */
  graceMinutes: number;
}

/**
 * Saves a submission: `submission.completed` once, when it becomes complete;
 * `submission.collection_status_changed` when it is screened out, which wins over completion; else
 * `submission.saved` where an endpoint asks for it, and `submission.updated` where none does. A save that
 * changes nothing is no change.
 *
 * One statement where it can be; under a lock where metadata is merged, for the token of an own account, or
 * to find out why the statement did nothing.
 *
 * @throws {Problem} `not_found`, `revision_mismatch`, `form_disabled` and `form_closed` by token or link,
 * `submission_screened_out`, `submission_completed` for an attempt to undo completion, `validation_failed`
 * for metadata that outgrows its limit, and as `saveChecked`
 */
export const saveSubmission = (deps: SaveDeps, save: Save): Promise<SubmissionView> =>
  saveChecked(deps, save, (checked, answerFaults) => saveNow({ ...deps, answerFaults }, checked));

type SaveNowDeps = SaveDeps & { answerFaults: string | null };

async function saveNow(deps: SaveNowDeps, save: Save): Promise<SubmissionView> {
  const { metadata } = save.changes;
  if (metadata === undefined || save.metadata === 'replace') {
    const [row] = await deps.db.query(statementOf(save, metadata, { ...deps, isHeld: false }));
    if (row) {
      deps.wake(row.view.id, wakeTimeOf(save.changes));
      return row.view;
    }
  }
  const view = await deps.db.transaction((tx) => saveLocked(tx, save, deps));
  deps.wake(view.id, wakeTimeOf(save.changes));
  return view;
}

async function saveLocked(tx: Tx, save: Save, deps: SaveNowDeps): Promise<SubmissionView> {
  const current = await locked(tx, save, deps);
  assertHeld(deps.revocations, current.holder, save.holder);
  if (isRepeatedScreenOut(current, save)) return current.view;
  const { metadata } = save.changes;
  const merged =
    metadata !== undefined && save.metadata === 'merge'
      ? mergeMetadata(current.view.metadata, metadata)
      : metadata;
  if (merged !== undefined) checkMerged(merged, deps.maxMetadataBytes);
  const [row] = await tx.query(statementOf(save, merged, { ...deps, isHeld: true }));
  // The save changes nothing, or the form, which is not locked, was disabled or deleted meanwhile.
  return (row ?? (await locked(tx, save, deps))).view;
}

async function locked(tx: Tx, save: Save, { graceMinutes }: SaveDeps): Promise<LockedRow> {
  const { tenantId, formId, target } = save;
  const [current] = await tx.query(
    'id' in target
      ? lockById({ tenantId, formId, id: target.id })
      : 'linkedId' in target
        ? lockByLink({ tenantId, formId, id: target.linkedId, mayEdit: target.mayEdit, graceMinutes })
        : lockByToken({ tenantId, formId, tokenHash: target.tokenHash, graceMinutes }),
  );
  if (!current) throw notFound('submission', 'id' in target ? target.id : undefined);
  if (!isRepeatedScreenOut(current, save)) refuse(current, save);
  return current;
}

/**
 * Without the limit the holder of a token could grow a row without end by merging. Older metadata may be
 * deeper than a new one.
 */
function checkMerged(metadata: string, limit: number): void {
  const fault =
    Buffer.byteLength(metadata) > limit
      ? `must be at most ${limit} bytes of UTF-8`
      : isTooDeep(metadata)
        ? depthFault
        : null;
  if (fault !== null) throw validationProblem({ metadata: [`${fault} after the merge`] });
}

const isRepeatedScreenOut = ({ view }: LockedRow, { changes }: Save): boolean =>
  view.collectionStatus === 'screen_out' && changes.collectionOutcome === 'screen_out';

function refuse(
  { view, is_enabled: isEnabled, closed_at: closesAt }: LockedRow,
  { target, changes, ifMatch }: Save,
): void {
  assertIfMatch(ifMatch, view.revision);
  if (!isEnabled && !('id' in target)) throw new Problem('form_disabled');
  if (closesAt !== null) throw new Problem('form_closed', { extra: { closesAt } });
  if (view.collectionStatus === 'screen_out') throw new Problem('submission_screened_out');
  const mayNotEdit = 'linkedId' in target && !target.mayEdit;
  if (view.isComplete && (changes.isComplete === false || mayNotEdit))
    throw new Problem('submission_completed');
}

function statementOf(
  { tenantId, formId, target, changes, ifMatch, traceparent }: Save,
  metadata: string | undefined,
  {
    isHeld,
    graceMinutes,
    answerFaults,
  }: { isHeld: boolean } & Pick<SaveNowDeps, 'graceMinutes' | 'answerFaults'>,
) {
  const { isComplete = null, currentPage = null, jsonData = null, collectionOutcome } = changes;
  const values = {
    tenantId,
    formId,
    isComplete,
    currentPage,
    jsonData,
    metadata: metadata ?? null,
    answerFaults,
    screenOut: collectionOutcome === 'screen_out',
    ifMatch,
    traceparent,
  };
  if ('tokenHash' in target)
    return saveByToken({ tokenHash: target.tokenHash, isHeld, graceMinutes, ...values });
  if ('linkedId' in target)
    return saveByLink({ id: target.linkedId, mayEdit: target.mayEdit, graceMinutes, ...values });
  const savedBy = JSON.stringify(currentContext()?.actor ?? null);
  return saveById({ id: target.id, savedBy, audit: auditFacts('submission'), ...values });
}
