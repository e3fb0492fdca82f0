import type { FormView, SettingsRef } from '@canvass/contracts';
import {
  contains,
  keyPageQuery,
  keySliceOf,
  newestFirst,
  statement,
  type KeySlice,
  type Queryable,
  type WithKeys,
} from '@canvass/postgres';
import type { KeyQuery } from '@canvass/service-kit';
import type { AnswerCheckMode } from '../answer-check';
import { settingsInForce } from '../webhook-settings';
import { chosenColumns } from './form-fields.sql';

export interface FormRow {
  view: FormView;
  /** Settings with sealed secrets; null for no override. */
  web_hook_settings_json: string | null;
  webhook_settings_version: string | null;
}

/** A row after a change, with the settings that govern the events of that change. */
export interface ChangedFormRow extends FormRow {
  settings: SettingsRef | null;
}

interface FormKey {
  tenantId: string;
  id: string;
}

/** The columns that a client or its webhook settings determine. */
export interface FormColumns {
  name: string;
  description: string | null;
  isEnabled: boolean;
  isPublic: boolean;
  limitOnePerUser: boolean;
  /** JSON text. */
  definition: string;
  submissionTokenExpiryHours: number | null;
  retentionDays: number | null;
  opensAt: string | null;
  closesAt: string | null;
  maxSubmissions: number | null;
  slug: string | null;
  /** JSON text. */
  page: string | null;
  answerCheck: AnswerCheckMode;
  dataListIds: string[];
  settingsJson: string | null;
  settingsVersion: string | null;
  /** The one who sets another `retentionDays`, as JSON text; null: it stays. */
  retentionSetBy: string | null;
}

/** Definitions come back as they were written. */
const exact = { keepsNumbers: true };

const columns = `form_json(f) as view, f.web_hook_settings_json, f.webhook_settings_version`;
const live = `f.tenant_id = $tenantId and f.id = $id and f.deleted_at is null`;
const settings = `(select ${settingsInForce} from (select) none left join tenant_settings t on t.tenant_id = f.tenant_id) as settings`;

export const getForm = statement<FormKey, FormRow>(
  'forms_get',
  `select ${columns} from forms f where ${live}`,
  exact,
);

/** Locks a form for changes that do not turn the gate on. Creates of submissions are not blocked. */
export const lockForm = statement<FormKey, FormRow>(
  'forms_lock',
  `select ${columns} from forms f where ${live} for no key update`,
  exact,
);

/** Waits for creates that have read the form, and blocks further ones. */
export const lockFormAgainstCreates = statement<FormKey, FormRow>(
  'forms_lock_against_creates',
  `select ${columns} from forms f where ${live} for update`,
  exact,
);

/** An id for a new form, and a mark of the present among the ids. */
export const nextId = statement<void, { id: string }>('forms_next_id', 'select next_id() as id');

export const insertForm = statement<FormKey & FormColumns, ChangedFormRow>(
  'forms_insert',
  `insert into forms as f (tenant_id, id, name, description, is_enabled, is_public, limit_one_per_user, definition,
     submission_token_expiry_hours, retention_days, opens_at, closes_at, max_submissions, slug, page, answer_check, data_list_ids, web_hook_settings_json, webhook_settings_version, retention_set_by)
   values ($tenantId, $id, $name, $description, $isEnabled, $isPublic, $limitOnePerUser, $definition, $submissionTokenExpiryHours, $retentionDays, $opensAt, $closesAt, $maxSubmissions, $slug, $page, $answerCheck, $dataListIds, $settingsJson, $settingsVersion, $retentionSetBy::json) returning ${columns}, ${settings}`,
  exact,
);

/** The period in force: a shorter one starts a day after its change. */
export const retentionInForce = `case when f.retention_starts_at > now()
  then case when f.retention_days_before is null then null else greatest(f.retention_days_before, f.retention_days) end
  else f.retention_days end`;

/** `shortens`: the period becomes shorter than the one that is set. */
export const updateForm = statement<FormKey & FormColumns & { shortens: boolean }, ChangedFormRow>(
  'forms_update',
  `update forms f set name = $name, description = $description, is_enabled = $isEnabled, is_public = $isPublic, limit_one_per_user = $limitOnePerUser,
     definition = $definition, submission_token_expiry_hours = $submissionTokenExpiryHours, retention_days = $retentionDays::integer, opens_at = $opensAt, closes_at = $closesAt, max_submissions = $maxSubmissions, slug = $slug, page = $page, answer_check = $answerCheck, data_list_ids = $dataListIds, web_hook_settings_json = $settingsJson,
     webhook_settings_version = $settingsVersion, retention_set_by = coalesce($retentionSetBy::json, f.retention_set_by),
     retention_days_before = case when $shortens::boolean then ${retentionInForce} else f.retention_days_before end,
     retention_starts_at = case when $shortens::boolean then now() + interval '24 hours'
       when $retentionDays::integer is not null then f.retention_starts_at end,
     modified_at = now(), revision = f.revision + 1
   where ${live} returning ${columns}, ${settings}`,
  exact,
);

/** The webhook settings of a form. The revision grows, because the form shows them. */
export const updateFormSettings = statement<
  FormKey & Pick<FormColumns, 'settingsJson' | 'settingsVersion'>,
  FormRow
>(
  'forms_update_settings',
  `update forms f set web_hook_settings_json = $settingsJson, webhook_settings_version = $settingsVersion,
     modified_at = now(), revision = f.revision + 1
   where ${live} returning ${columns}`,
  exact,
);

/** Counts the submissions of a form whose creates are blocked. */
export const countPlaces = statement<FormKey>(
  'forms_count_places',
  `select count_places($tenantId, $id, interval '0')`,
);

/** Soft delete. Its webhook settings stay, for the event of the deletion. */
export const deleteForm = statement<FormKey, ChangedFormRow>(
  'forms_delete',
  `update forms f set deleted_at = now(), modified_at = now(), revision = f.revision + 1
   where ${live} returning ${columns}, ${settings}`,
  exact,
);

const matching = `f.tenant_id = $tenantId and f.deleted_at is null and ($search::text is null or ${contains('f.name', '$search')})
  and ($formIds::bigint[] is null or f.id = any($formIds))`;

interface FormFilter {
  tenantId: string;
  /** Text within the name, or null. */
  search: string | null;
  /** The only forms, or null. */
  formIds: string[] | null;
}

/** The forms of a filter, for pages and totals. */
export const matchingForms = statement<FormFilter, { id: string }>(
  'forms_matching',
  `select f.tenant_id, f.id from forms f where ${matching}`,
);

/**
 * A page, newest first, with whole forms or with chosen members.
 *
 * @throws {Problem} `validation_failed` for the cursor
 */
export async function selectForms(
  db: Queryable,
  filter: FormFilter,
  window: KeyQuery,
  fields: readonly string[] | undefined,
): Promise<KeySlice<FormRow>> {
  const sources = [matchingForms(filter)];
  const { text, values } = keyPageQuery(sources, newestFirst, window);
  const selected = fields === undefined ? columns : chosenColumns(fields);
  const rows = await db.query<WithKeys<FormRow>>({
    ...exact,
    text: `select page.keys, ${selected} from (${text}) page join forms f using (tenant_id, id)
     order by f.id ${window.before === undefined ? 'desc' : 'asc'}`,
    values,
  });
  return keySliceOf(rows, sources, newestFirst, window);
}

/** The id of the form with a slug, of any tenant. */
export const findFormBySlug = statement<{ slug: string }, { id: string }>(
  'forms_find_by_slug',
  `select f.id from forms f where f.slug = $slug and f.deleted_at is null`,
);

/** A form of any tenant for its runtime, and the data that decides about access. */
export const getRuntimeForm = statement<{ id: string }, RuntimeFormRow>(
  'forms_get_runtime',
  `select form_json(f) as view, f.tenant_id from forms f where f.id = $id and f.deleted_at is null`,
  exact,
);

export interface RuntimeFormRow {
  view: FormView;
  tenant_id: string;
}
