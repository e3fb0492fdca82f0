import type { FormView } from '@canvass/contracts';
import { maskSettings, type StoredSettings } from '../webhook-settings';
import type { FormBody } from './form-body';
import type { FormRow } from './forms.sql';

/** A form as the management API shows it: with its override, API keys masked. */
export interface FormAnswer extends FormView {
  webHookSettingsJson: string | null;
}

export const answerOf = ({ view, web_hook_settings_json: json }: FormRow): FormAnswer => ({
  ...view,
  webHookSettingsJson: json === null ? null : maskSettings(json),
});

/** Values of the columns from `name` on, as `insertForm` and `updateForm` take them. */
export const columnValues = (
  form: Omit<FormBody, 'webHookSettingsJson'>,
  settings: StoredSettings,
): unknown[] => [
  form.name,
  form.description,
  form.isEnabled,
  form.isPublic,
  form.limitOnePerUser,
  JSON.stringify(form.definition),
  form.submissionTokenExpiryHours,
  form.dataListIds,
  settings.json,
  settings.version,
];
