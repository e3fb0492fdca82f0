import type { FormView } from '@canvass/contracts';

/** Members of a form in a list that are not members of the form itself. */
export interface FormListMembers {
  /** Submissions that are not deleted. */
  submissionsCount: number;
  /** The time when its newest submission was created; null: it has none. */
  lastSubmissionAt: string | null;
  /** The owner of the webhook settings that apply; null for a caller without `WebHooks.View`. */
  webhookSource: 'form' | 'tenant' | 'none' | null;
}

/** SQL expressions over the form `f`, with the values of `form_json(f)`. */
const expressions: Record<keyof (FormView & FormListMembers), string> = {
  id: 'f.id::text',
  name: 'f.name',
  description: 'f.description',
  isEnabled: 'f.is_enabled',
  isPublic: 'f.is_public',
  limitOnePerUser: 'f.limit_one_per_user',
  definition: 'f.definition',
  submissionTokenExpiryHours: 'f.submission_token_expiry_hours',
  retentionDays: 'f.retention_days',
  opensAt: 'api_time(f.opens_at)',
  closesAt: 'api_time(f.closes_at)',
  maxSubmissions: 'f.max_submissions',
  slug: 'f.slug',
  page: 'f.page',
  answerCheck: 'f.answer_check',
  dataListIds: 'to_json(f.data_list_ids::text[])',
  createdAt: 'api_time(f.created_at)',
  modifiedAt: 'api_time(f.modified_at)',
  revision: 'f.revision::text',
  submissionsCount: `(select count(*) from submissions s
     where s.tenant_id = f.tenant_id and s.form_id = f.id and s.deleted_at is null)`,
  lastSubmissionAt: `(select api_time(s.created_at) from submissions s
     where s.tenant_id = f.tenant_id and s.form_id = f.id and s.deleted_at is null order by s.id desc limit 1)`,
  webhookSource: `case when f.webhook_settings_version is not null then 'form'
     when exists (select from tenant_settings t
       where t.tenant_id = f.tenant_id and t.webhook_settings_version is not null) then 'tenant'
     else 'none' end`,
};

const settingsMember = 'webHookSettingsJson';

/** The members that `fields` of the list can name. */
export const formFields = [...Object.keys(expressions), settingsMember];

/** SQL of the columns of a `FormRow` with the chosen members. */
export function chosenColumns(fields: readonly string[]): string {
  const pairs = Object.entries(expressions).filter(([name]) => fields.includes(name));
  const settings = fields.includes(settingsMember) ? 'f.web_hook_settings_json' : 'null';
  return `json_build_object(${pairs.map(([name, sql]) => `'${name}', ${sql}`).join(', ')}) as view,
    ${settings} as web_hook_settings_json, f.webhook_settings_version`;
}
