import type { Principal } from '@canvass/auth';
import { notFound } from '@canvass/errors';
import { totalOf, type Queryable } from '@canvass/postgres';
import { pageOf, type KeyPage, type Page, type Paging } from '@canvass/service-kit';
import { answerOf, chosenOf, type ChosenForm, type FormAnswer } from './form-record';
import { countForms, getForm, listForms, matchingForms, selectFormsByKey } from './forms.sql';

/** A form of the caller's tenant. @throws {Problem} `not_found` */
export async function readForm(db: Queryable, caller: Principal, formId: string): Promise<FormAnswer> {
  const [row] = await db.query(getForm({ tenantId: caller.tenantId, id: formId }));
  if (!row) throw notFound('form', formId);
  return answerOf(row, caller);
}

/**
 * Forms of the caller's tenant that it may read, newest first. `search` is text within the name,
 * case-insensitive.
 */
export async function listFormsOf(
  db: Queryable,
  caller: Principal,
  query: Paging & { search?: string; fields?: string[] },
): Promise<Page<FormAnswer> | KeyPage<ChosenForm>> {
  const { page, pageSize, byKey } = query;
  const formIds = caller.formIds === undefined ? null : [...caller.formIds];
  const filter = { tenantId: caller.tenantId, search: query.search || null, formIds };
  if (byKey !== null) {
    const { rows, next, previous } = await selectFormsByKey(db, filter, byKey, query.fields);
    const total = await totalOf(db, matchingForms(filter), byKey.total);
    const items = rows.map((row) =>
      query.fields === undefined ? answerOf(row, caller) : chosenOf(row, caller, query.fields),
    );
    return { items, next, previous, ...total };
  }
  const [[counted], rows] = await Promise.all([
    db.query(countForms(filter)),
    db.query(listForms({ ...filter, limit: pageSize, offset: (page - 1) * pageSize })),
  ]);
  const forms = rows.map((row) => answerOf(row, caller));
  return pageOf(forms, Number(counted!.total), query);
}
