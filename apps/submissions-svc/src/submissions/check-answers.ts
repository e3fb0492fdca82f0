import { Problem } from '@canvass/errors';
import type { Database, Queryable } from '@canvass/postgres';
import type { EndpointInput, IfMatch } from '@canvass/service-kit';
import { findCheckedForm, type AnswerCheck } from '../answer-check';
import { checkedSaveById, checkedSaveByToken } from './save.sql';
import type { SubmissionChanges } from './submission-body';

export interface CheckDeps {
  db: Database;
  answerCheck: AnswerCheck;
}

/** Returns whether the changes complete a submission. A screen-out does not. */
export const isCompletion = ({ isComplete, collectionOutcome }: SubmissionChanges): boolean =>
  isComplete === true && collectionOutcome !== 'screen_out';

/** A create that may complete, before it takes a lock. */
interface CheckedCreate {
  formId: string;
  tenantId: string | null;
  mayAnswerPrivate: boolean;
  changes: SubmissionChanges;
}

/**
 * Checks the answers of creates. Repeated calls with one request return the same result, JSON text of faults,
 * or null.
 */
export function checksOfCreates({ db, answerCheck }: CheckDeps) {
  const known = new WeakMap<EndpointInput['request'], Promise<string | null>>();
  return (request: EndpointInput['request'], create: CheckedCreate): Promise<string | null> => {
    const faults = known.get(request) ?? checkCreate(db, answerCheck, create);
    known.set(request, faults);
    return faults;
  };
}

async function checkCreate(
  db: Queryable,
  answerCheck: AnswerCheck,
  { changes, ...place }: CheckedCreate,
): Promise<string | null> {
  if (!isCompletion(changes)) return null;
  const [form] = await db.query(findCheckedForm(place));
  return form ? answerCheck.check(form, changes.jsonData ?? '{}') : null;
}

const attempts = 10;

/** What a check needs to know of a save. */
interface CheckedSave {
  tenantId: string | null;
  formId: string;
  target: { id: string } | { tokenHash: Buffer } | { linkedId: string };
  changes: SubmissionChanges;
  ifMatch: IfMatch;
}

/**
 * Runs a save with the faults of the answers that it completes, or changes after completion. It then applies
 * to the revision that was read, so that it completes no other answers; after a lost race all is read again.
 *
 * @throws {Problem} as `AnswerCheck`, `service_unavailable` if other saves are faster again and again
 */
export async function saveChecked<T, Save extends CheckedSave>(
  { db, answerCheck }: CheckDeps,
  save: Save,
  run: (save: Save, answerFaults: string | null) => Promise<T>,
): Promise<T> {
  const { tenantId, formId, target, changes, ifMatch } = save;
  const completes = isCompletion(changes);
  // A token ends with completion.
  const mayCorrect = changes.jsonData !== undefined && !('tokenHash' in target);
  if (changes.collectionOutcome === 'screen_out' || !(completes || mayCorrect)) return run(save, null);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const place = { tenantId, formId, reads: changes.jsonData === undefined };
    const [found] = await db.query(
      'tokenHash' in target
        ? checkedSaveByToken({ ...place, tokenHash: target.tokenHash })
        : checkedSaveById({ ...place, id: 'id' in target ? target.id : target.linkedId }),
    );
    if (!found || (ifMatch && !ifMatch.includes(found.savedRevision))) return run(save, null);
    const { jsonData, isComplete, savedRevision, ...form } = found;
    const changesAnswers = isComplete ? changes.jsonData !== undefined : completes;
    const faults = changesAnswers ? await answerCheck.check(form, changes.jsonData ?? jsonData!) : null;
    try {
      return await run({ ...save, ifMatch: [savedRevision] satisfies IfMatch }, faults);
    } catch (error) {
      if (!(error instanceof Problem) || error.errorCode !== 'revision_mismatch') throw error;
    }
  }
  throw new Problem('service_unavailable', { headers: { 'Retry-After': '1' } });
}
