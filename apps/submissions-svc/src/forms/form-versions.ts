import { notFound } from '@canvass/errors';
import { newestFirst, readKeyPage, type Queryable, type Tx } from '@canvass/postgres';
import { currentContext, pageOf, type KeyPage, type Page, type Paging } from '@canvass/service-kit';
import {
  allVersions,
  countVersions,
  getVersion,
  keepVersion,
  listVersions,
  type FormVersion,
  type FormVersionDetail,
} from './form-versions.sql';

/** Stores the definition of a form after its creation or change, with the caller, if it is a new one. */
export async function keepDefinition(tx: Tx, tenantId: string, formId: string): Promise<void> {
  const savedBy = JSON.stringify(currentContext()?.actor ?? null);
  await tx.query(keepVersion({ tenantId, formId, savedBy }));
}

/**
 * Definitions of a form, newest first.
 *
 * @throws {Problem} `not_found`, `validation_failed` for an invalid cursor
 */
export async function pageOfFormVersions(
  db: Queryable,
  tenantId: string,
  formId: string,
  { page, pageSize, byKey, ...query }: Paging & { at?: Date },
): Promise<Page<FormVersion> | KeyPage<FormVersion>> {
  const at = query.at ?? null;
  const [counted] = await db.query(countVersions({ tenantId, formId, at }));
  if (!counted) throw notFound('form', formId);
  if (byKey !== null) {
    const source = allVersions({ tenantId, formId, at });
    return readKeyPage(db, source, newestFirst, byKey, ({ id: _, ...version }) => version);
  }
  const offset = (page - 1) * pageSize;
  const rows = await db.query(listVersions({ tenantId, formId, at, limit: pageSize, offset }));
  return pageOf(rows, Number(counted.total), { page, pageSize });
}

/**
 * The definition that a form had at a revision.
 *
 * @throws {Problem} `not_found` if there is no such form or revision, or if it is not kept any more
 */
export async function readFormVersion(
  db: Queryable,
  tenantId: string,
  formId: string,
  revision: string,
): Promise<FormVersionDetail> {
  const [row] = await db.query(getVersion({ tenantId, formId, revision }));
  if (!row) throw notFound('version', revision);
  return row;
}
