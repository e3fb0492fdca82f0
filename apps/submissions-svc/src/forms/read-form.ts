import type { Principal } from '@canvass/auth';
import { notFound } from '@canvass/errors';
import { readBounded, totalOf, type Database, type Queryable } from '@canvass/postgres';
import type { KeyPage, KeyQuery } from '@canvass/service-kit';
import { answerOf, chosenOf, type ChosenForm, type FormAnswer } from './form-record';
import { getForm, matchingForms, selectForms } from './forms.sql';

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
  { search, fields, ...window }: KeyQuery & { search?: string; fields?: string[] },
): Promise<KeyPage<ChosenForm>> {
  const formIds = caller.formIds === undefined ? null : [...caller.formIds];
  const filter = { tenantId: caller.tenantId, search: search || null, formIds };
  const read = (reader: Queryable) => selectForms(reader, filter, window, fields);
  const isCounting = fields?.includes('submissionsCount');
  const { rows, next, previous } = isCounting ? await readBounded(db, advice, read) : await read(db);
  const total = await totalOf(db, [matchingForms(filter)], window.total);
  const items = rows.map((row): ChosenForm =>
    fields === undefined ? answerOf(row, caller) : chosenOf(row, caller, fields),
  );
  return { items, next, previous, ...total };
}
