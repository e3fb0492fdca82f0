import { countRows, newestFirst, readBounded, readKeyPage, type Database } from '@canvass/postgres';
import { pageOf, type KeyPage, type Page, type Paging } from '@canvass/service-kit';
import { readSubmitter } from './read-submitter';
import {
  allOfSubmitter,
  pageOfSubmitter,
  previewErasure,
  type ErasurePreview,
  type SubmissionOfSubmitter,
} from './submissions.sql';

const advice = 'Page by key with total=none.';

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
  query: Paging,
): Promise<Page<SubmissionOfSubmitter> | KeyPage<SubmissionOfSubmitter>> {
  const person = { tenantId, submitterId };
  const { page, pageSize, byKey } = query;
  await readSubmitter(db, tenantId, submitterId);
  return readBounded(
    db,
    advice,
    async (tx): Promise<Page<SubmissionOfSubmitter> | KeyPage<SubmissionOfSubmitter>> => {
      const all = allOfSubmitter(person);
      if (byKey !== null) return readKeyPage(tx, all, newestFirst, byKey, ({ view }) => view);
      const total = await countRows(tx, all);
      const rows = await tx.query(
        pageOfSubmitter({ ...person, limit: pageSize, offset: (page - 1) * pageSize }),
      );
      return pageOf(
        rows.map(({ view }) => view),
        total,
        query,
      );
    },
  );
}

/**
 * What an erasure of a respondent would change now.
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
