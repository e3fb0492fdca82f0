import { difference, type Difference } from '@canvass/audit';
import type { Principal } from '@canvass/auth';
import type { FormView } from '@canvass/contracts';
import { writeJson } from '@canvass/json-numbers';
import { maskSettings, type StoredSettings } from '../webhook-settings';
import type { FormListMembers } from './form-fields.sql';
import { formMembers, type FormBody } from './form-body';
import type { FormColumns, FormRow } from './forms.sql';

/**
 * A form in the management API. `webHookSettingsJson` has masked secrets, or is null to hide it from a
 * caller.
 */
export interface FormAnswer extends FormView {
  webHookSettingsJson: string | null;
}

/**
 * The response for a caller. Without `WebHooks.View` it has no webhook settings, because URLs may contain
 * secrets.
 */
export function answerOf({ view, web_hook_settings_json: json }: FormRow, caller: Principal): FormAnswer {
  const visible = json !== null && caller.permissions.has('WebHooks.View');
  return { ...view, webHookSettingsJson: visible ? maskSettings(json) : null };
}

/** Members of a form that `fields` of the list names. */
export type ChosenForm = Partial<FormAnswer & FormListMembers>;

/** The same for chosen members. Their row has only those. */
export function chosenOf(row: FormRow, caller: Principal, fields: readonly string[]): ChosenForm {
  const { webHookSettingsJson, ...chosen }: ChosenForm = answerOf(row, caller);
  if (chosen.webhookSource !== undefined && !caller.permissions.has('WebHooks.View'))
    chosen.webhookSource = null;
  return fields.includes('webHookSettingsJson') ? { ...chosen, webHookSettingsJson } : chosen;
}

export const columnsOf = (
  form: Omit<FormBody, 'webHookSettingsJson'>,
  settings: StoredSettings,
  retentionSetBy: string | null,
): FormColumns => ({
  name: form.name,
  description: form.description,
  isEnabled: form.isEnabled,
  isPublic: form.isPublic,
  limitOnePerUser: form.limitOnePerUser,
  definition: writeJson(form.definition),
  submissionTokenExpiryHours: form.submissionTokenExpiryHours,
  retentionDays: form.retentionDays,
  opensAt: form.opensAt,
  closesAt: form.closesAt,
  maxSubmissions: form.maxSubmissions,
  slug: form.slug,
  page: form.page === null ? null : JSON.stringify(form.page),
  answerCheck: form.answerCheck,
  dataListIds: form.dataListIds,
  settingsJson: settings.json,
  settingsVersion: settings.version,
  retentionSetBy,
});

/** Members of the body, so that none is forgotten; the settings are recorded as an object. */
const auditedMembers = formMembers.map((name) => (name === 'webHookSettingsJson' ? 'webHookSettings' : name));

/** Returns what changed between two states of a form, for the audit trail; secrets are masked. */
export const formChanges = (before: FormRow, after: FormRow): Difference | null =>
  difference(audited(before), audited(after), auditedMembers);

const audited = ({ view, web_hook_settings_json: json }: FormRow) => ({
  ...view,
  webHookSettings: json === null ? null : (JSON.parse(maskSettings(json)) as unknown),
});
