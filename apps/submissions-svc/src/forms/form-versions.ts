import { notFound } from '@canvass/errors';
import { newestFirst, readKeyPage, type Queryable, type Tx } from '@canvass/postgres';
import { currentContext, type KeyPage, type KeyQuery } from '@canvass/service-kit';
import {
  allVersions,
  findForm,
  getVersion,
  keepVersion,
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
  { at, ...window }: KeyQuery & { at?: Date },
): Promise<KeyPage<FormVersion>> {
  const [form] = await db.query(findForm({ tenantId, formId }));
  if (!form) throw notFound('form', formId);
  const source = allVersions({ tenantId, formId, at: at ?? null });
  return readKeyPage(db, source, newestFirst, window, ({ id: _, ...version }) => version);
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
