import { statement, type Queryable } from '@canvass/postgres';
import { selectLists, type ListRow } from '../catalog';

/** The data of a form that this service stores. */
export interface FormCopy {
  tenantId: string;
  formId: string;
  name: string;
  isEnabled: boolean;
  isPublic: boolean;
  isDeleted: boolean;
  listIds: string[];
  /** The revision of the form after the change of the event. */
  revision: string;
  eventId: string;
}

const upsert = statement<FormCopy>(
  'form-lists-upsert',
  `insert into form_lists as known (tenant_id, form_id, name, is_enabled, is_public, is_deleted, list_ids, revision, event_id)
   values ($tenantId, $formId, $name, $isEnabled, $isPublic, $isDeleted, $listIds::bigint[], $revision, $eventId)
   on conflict (tenant_id, form_id) do update
   set name = excluded.name, is_enabled = excluded.is_enabled, is_public = excluded.is_public,
       is_deleted = excluded.is_deleted, list_ids = excluded.list_ids, revision = excluded.revision,
       event_id = excluded.event_id
   where known.event_id < excluded.event_id`,
);

/**
 * Stores the form unless a later event is stored: events may arrive late or twice. Ids of events grow even if
 * the forms are restored to an earlier time, but revisions do not.
 */
export async function saveFormCopy(db: Queryable, form: FormCopy): Promise<void> {
  await db.query(upsert(form));
}

const deleteOlder = statement<{ tenantId: string; since: string }>(
  'form-lists-delete-older',
  `update form_lists set is_deleted = true
   where tenant_id = $tenantId and event_id < $since and not is_deleted`,
);

/** Marks the forms without an event since then as deleted. */
export async function deleteFormCopies(db: Queryable, tenantId: string, since: string): Promise<void> {
  await db.query(deleteOlder({ tenantId, since }));
}

const openList = statement<
  { tenantId: string; formId: string; listId: string; formRevision: string },
  FormAndList
>(
  'form-lists-open',
  `select coalesce(f.revision >= $formRevision, false) as "formIsKnown", f.is_enabled as "isEnabled",
          f.is_public as "isPublic", f.is_deleted as "isDeleted",
          $listId::bigint = any (f.list_ids) as "namesList", l.*
   from (select) one
   left join form_lists f on f.tenant_id = $tenantId and f.form_id = $formId
   left join (${selectLists}) l on l.tenant_id = $tenantId and l.id = $listId`,
);

export type FormAndList = ListRow & {
  /** Returns whether the stored form has the given revision or a later one. */
  formIsKnown: boolean;
  isEnabled: boolean | null;
  isPublic: boolean | null;
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
  const [row] = await db.query(openList({ tenantId, formId, listId, formRevision }));
  return row!;
}

export interface UsingForm {
  id: string;
  name: string;
  isEnabled: boolean;
}

const using =
  'from form_lists where tenant_id = $tenantId and list_ids @> array[$listId::bigint] and not is_deleted';

/** Forms of the tenant that use the list, for pages. A disabled form still uses its lists. */
export const formsUsing = statement<{ tenantId: string; listId: string }, UsingForm>(
  'form-lists-using',
  `select form_id as id, name, is_enabled as "isEnabled" ${using}`,
);

const countUsing = statement<{ tenantId: string; listId: string }, { count: number }>(
  'form-lists-count-using',
  `select count(*)::int as count ${using}`,
);

export async function countFormsUsing(db: Queryable, tenantId: string, listId: string): Promise<number> {
  const [row] = await db.query(countUsing({ tenantId, listId }));
  return row!.count;
}
