import type { Principal } from '@canvass/auth';
import { notFound } from '@canvass/errors';
import { countRows, readBounded, totalOf, type Database, type Queryable } from '@canvass/postgres';
import { pageOf, type KeyPage, type Page, type Paging } from '@canvass/service-kit';
import { answerOf, chosenOf, type ChosenForm, type FormAnswer } from './form-record';
import { getForm, listForms, matchingForms, selectFormsByKey, type FormRow } from './forms.sql';

/** A form of the caller's tenant. @throws {Problem} `not_found` */
export async function readForm(db: Queryable, caller: Principal, formId: string): Promise<FormAnswer> {
  const [row] = await db.query(getForm({ tenantId: caller.tenantId, id: formId }));
  if (!row) throw notFound('form', formId);
  return answerOf(row, caller);
}

const advice = 'Ask for fewer forms at once, or without submissionsCount.';

/**
 * Forms of the caller's tenant that it may read, newest first. `search` is text within the name,
 * case-insensitive.
 *
 * @throws {Problem} `query_too_broad` if counting the submissions takes 5 s
 */
export async function listFormsOf(
  db: Database,
  caller: Principal,
  query: Paging & { search?: string; fields?: string[] },
): Promise<Page<FormAnswer> | KeyPage<ChosenForm>> {
  const { page, pageSize, byKey } = query;
  const formIds = caller.formIds === undefined ? null : [...caller.formIds];
  const filter = { tenantId: caller.tenantId, search: query.search || null, formIds };
  if (byKey !== null) {
    const { fields } = query;
    const read = (reader: Queryable) => selectFormsByKey(reader, filter, byKey, fields);
    const isCounting = fields?.includes('submissionsCount');
    const { rows, next, previous } = isCounting ? await readBounded(db, advice, read) : await read(db);
    const total = await totalOf(db, matchingForms(filter), byKey.total);
    const items = rows.map((row): ChosenForm =>
      fields === undefined ? answerOf(row, caller) : chosenOf(row, caller, fields),
    );
    return { items, next, previous, ...total };
  }
  const { text, values } = listForms({ ...filter, limit: pageSize, offset: (page - 1) * pageSize });
  const [total, rows] = await Promise.all([
    countRows(db, matchingForms(filter)),
    db.query<FormRow>(text, values),
  ]);
  const forms = rows.map((row) => answerOf(row, caller));
  return pageOf(forms, total, query);
}
