import type { Principal } from '@canvass/auth';
import type { FormView } from '@canvass/contracts';
import { maskSettings, type StoredSettings } from '../webhook-settings';
import type { FormBody } from './form-body';
import type { FormRow } from './forms.sql';

/**
 * A form in the management API. `webHookSettingsJson` has masked API keys, or is null to hide it from a
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

/** Column values from `name` on, for `insertForm` and `updateForm`. */
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
