import type { FormView, SettingsRef } from '@canvass/contracts';
import { statement } from '@canvass/postgres';
import { settingsInForce } from '../webhook-settings';

export interface FormRow {
  view: FormView;
  /** With sealed API keys; null for no override. */
  web_hook_settings_json: string | null;
  webhook_settings_version: string | null;
}

/** A row after a change, with the settings that govern the events of that change. */
export interface ChangedFormRow extends FormRow {
  settings: SettingsRef | null;
}

const columns = `form_json(f) as view, f.web_hook_settings_json, f.webhook_settings_version`;
const live = `f.tenant_id = $1 and f.id = $2 and f.deleted_at is null`;
const settings = `(select ${settingsInForce} from (select) none left join tenant_settings t on t.tenant_id = f.tenant_id) as settings`;

/** $1 tenant, $2 id */
export const getForm = statement('forms_get', `select ${columns} from forms f where ${live}`);

/** $1 tenant, $2 id. For changes that do not turn the gate on. Creates of submissions are not blocked. */
export const lockForm = statement(
  'forms_lock',
  `select ${columns} from forms f where ${live} for no key update`,
);

/** $1 tenant, $2 id. Waits for creates that have read the form, and blocks further ones. */
export const lockFormAgainstCreates = statement(
  'forms_lock_against_creates',
  `select ${columns} from forms f where ${live} for update`,
);

export const newFormId = statement('forms_new_id', 'select next_id() as id');

/** $1 tenant, $2 id, then the columns in the order of `columnValues` */
export const insertForm = statement(
  'forms_insert',
  `insert into forms as f (tenant_id, id, name, description, is_enabled, is_public, limit_one_per_user, definition,
     submission_token_expiry_hours, data_list_ids, web_hook_settings_json, webhook_settings_version)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning ${columns}, ${settings}`,
);

/** $1 tenant, $2 id, then the columns in the order of `columnValues` */
export const updateForm = statement(
  'forms_update',
  `update forms f set name = $3, description = $4, is_enabled = $5, is_public = $6, limit_one_per_user = $7,
     definition = $8, submission_token_expiry_hours = $9, data_list_ids = $10, web_hook_settings_json = $11,
     webhook_settings_version = $12, modified_at = now(), revision = f.revision + 1
   where ${live} returning ${columns}, ${settings}`,
);

/** $1 tenant, $2 id. Soft delete. Its webhook settings stay, for the event of the deletion. */
export const deleteForm = statement(
  'forms_delete',
  `update forms f set deleted_at = now(), modified_at = now(), revision = f.revision + 1
   where ${live} returning ${columns}, ${settings}`,
);

const matching = `f.tenant_id = $1 and f.deleted_at is null and ($2::text is null or strpos(lower(f.name), lower($2)) > 0)`;

/** $1 tenant, $2 text within the name or null, $3 limit, $4 offset; newest first */
export const listForms = statement(
  'forms_list',
  `select ${columns} from forms f where ${matching} order by f.id desc limit $3 offset $4`,
);

/** $1 tenant, $2 text within the name or null → total */
export const countForms = statement('forms_count', `select count(*) as total from forms f where ${matching}`);

/** $1 id, of any tenant. Returns the form for its runtime, and the data that decides about access. */
export const getRuntimeForm = statement(
  'forms_get_runtime',
  `select form_json(f) as view, f.tenant_id from forms f where f.id = $1 and f.deleted_at is null`,
);

export interface RuntimeFormRow {
  view: FormView;
  tenant_id: string;
}
