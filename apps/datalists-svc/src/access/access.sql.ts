import { statement, type Queryable } from '@canvass/postgres';
import { selectLists, type ListRow } from '../catalog';

/** The data of a form that this service stores. */
export interface FormCopy {
  tenantId: string;
  formId: string;
  name: string;
  isEnabled: boolean;
  isDeleted: boolean;
  listIds: string[];
  /** The revision of the form after the change of the event. */
  revision: string;
}

const upsert = statement(
  'form-lists-upsert',
  `insert into form_lists as known (tenant_id, form_id, name, is_enabled, is_deleted, list_ids, revision)
   values ($1, $2, $3, $4, $5, $6::bigint[], $7)
   on conflict (tenant_id, form_id) do update
   set name = excluded.name, is_enabled = excluded.is_enabled, is_deleted = excluded.is_deleted,
       list_ids = excluded.list_ids, revision = excluded.revision
   where known.revision < excluded.revision`,
);

/** Stores the form unless a later revision is stored: events may arrive late or twice. */
export async function saveFormCopy(db: Queryable, form: FormCopy): Promise<void> {
  await db.query(upsert, [
    form.tenantId,
    form.formId,
    form.name,
    form.isEnabled,
    form.isDeleted,
    form.listIds,
    form.revision,
  ]);
}

const openList = statement(
  'form-lists-open',
  `select coalesce(f.revision >= $4, false) as "formIsKnown", f.is_enabled as "isEnabled", f.is_deleted as "isDeleted",
          $3::bigint = any (f.list_ids) as "namesList", l.*
   from (select) one
   left join form_lists f on f.tenant_id = $1 and f.form_id = $2
   left join (${selectLists}) l on l.tenant_id = $1 and l.id = $3`,
);

export type FormAndList = ListRow & {
  /** Whether the stored form has the given revision or a later one. */
  formIsKnown: boolean;
  isEnabled: boolean | null;
  isDeleted: boolean | null;
  namesList: boolean | null;
};

/**
 * The stored form and the list. The columns of a missing list are null, and so are those of an unknown form.
 */
export async function selectFormAndList(
  db: Queryable,
  tenantId: string,
  formId: string,
  listId: string,
  formRevision: string,
): Promise<FormAndList> {
  const [row] = await db.query<FormAndList>(openList, [tenantId, formId, listId, formRevision]);
  return row!;
}

const using = 'from form_lists where tenant_id = $1 and list_ids @> array[$2::bigint] and not is_deleted';
const countUsing = statement('form-lists-count-using', `select count(*)::int as count ${using}`);

/** Forms of the tenant that use the list. A disabled form still uses its lists. */
export async function countFormsUsing(db: Queryable, tenantId: string, listId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(countUsing, [tenantId, listId]);
  return row!.count;
}

const pageUsing = statement(
  'form-lists-page-using',
  `select form_id as id, name, is_enabled as "isEnabled" ${using} order by form_id limit $3 offset $4`,
);

export interface UsingForm {
  id: string;
  name: string;
  isEnabled: boolean;
}

export function selectFormsUsing(
  db: Queryable,
  tenantId: string,
  listId: string,
  window: { limit: number; offset: number },
): Promise<UsingForm[]> {
  return db.query<UsingForm>(pageUsing, [tenantId, listId, window.limit, window.offset]);
}
