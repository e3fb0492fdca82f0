import { notFound } from '@canvass/errors';
import { newestFirst, readBounded, readKeyPage, type Database, type Queryable } from '@canvass/postgres';
import type { KeyPage, KeyQuery } from '@canvass/service-kit';
import { allSubmitters, getSubmitter, type SubmitterView } from './submitters.sql';

/** A respondent and its version, for `ETag`. @throws {Problem} `not_found` */
export async function readSubmitter(
  db: Queryable,
  tenantId: string,
  submitterId: string,
): Promise<{ view: SubmitterView; version: string }> {
  const [row] = await db.query(getSubmitter({ tenantId, id: submitterId }));
  if (!row) throw notFound('submitter', submitterId);
  return row;
}

/**
 * Respondents, newest first. `search` is text within the display id, the subject or a value of the profile,
 * case and accents ignored.
 *
 * @throws {Problem} `validation_failed` for an invalid cursor, `query_too_broad` after 5 s
 */
export async function listSubmittersOf(
  db: Database,
  tenantId: string,
  { search, ...window }: KeyQuery & { search?: string },
): Promise<KeyPage<SubmitterView>> {
  const all = allSubmitters({ tenantId, search: search || null });
  return readBounded(db, advice, (tx) => readKeyPage(tx, all, newestFirst, window, ({ view }) => view));
}

const advice = 'Search for at least three characters, and ask without total.';
