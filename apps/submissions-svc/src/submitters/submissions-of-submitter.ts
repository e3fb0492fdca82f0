import { newestFirst, readBounded, readKeyPage, type Database } from '@canvass/postgres';
import type { KeyPage, KeyQuery } from '@canvass/service-kit';
import { readSubmitter } from './read-submitter';
import {
  allOfSubmitter,
  previewErasure,
  type ErasurePreview,
  type SubmissionOfSubmitter,
} from './submissions.sql';

/**
 * Submissions of a respondent in all forms, newest first.
 *
 * @throws {Problem} `not_found` for the respondent, `validation_failed` for an invalid cursor,
 * `query_too_broad` after 5 s
 */
export async function listSubmissionsOf(
  db: Database,
  tenantId: string,
  submitterId: string,
  window: KeyQuery,
): Promise<KeyPage<SubmissionOfSubmitter>> {
  await readSubmitter(db, tenantId, submitterId);
  const all = allOfSubmitter({ tenantId, submitterId });
  return readBounded(db, 'Ask without total.', (tx) =>
    readKeyPage(tx, all, newestFirst, window, ({ view }) => view),
  );
}

/**
 * Counts what an erasure of a respondent would change now.
 *
 * @throws {Problem} `not_found` for the respondent, `query_too_broad` after 5 s
 */
export async function readErasurePreview(
  db: Database,
  tenantId: string,
  submitterId: string,
): Promise<ErasurePreview> {
  await readSubmitter(db, tenantId, submitterId);
  const [preview] = await readBounded(db, 'The respondent has too many submissions to count.', (tx) =>
    tx.query(previewErasure({ tenantId, submitterId })),
  );
  return preview!;
}
