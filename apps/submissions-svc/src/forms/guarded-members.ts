import { requirePermission, type Principal } from '@canvass/auth';
import type { FormBody } from './form-body';
import type { FormRow } from './forms.sql';

/**
 * Guards what a body names like what a path names: data lists need `DataLists.View`, webhook settings what
 * their own route needs. Members that keep their stored value need nothing, so that who has only `Forms.Edit`
 * can save the form. `stored`: null for a new form.
 *
 * @throws {Problem} `permission_denied`
 */
export function assertMayChange(caller: Principal, body: Partial<FormBody>, stored: FormRow | null): void {
  const { dataListIds, webHookSettingsJson: settings } = body;
  if (dataListIds && !isSame(dataListIds, stored?.view.dataListIds ?? []))
    requirePermission(caller, 'DataLists.View');
  if (typeof settings === 'string' || (settings === null && stored?.web_hook_settings_json))
    requirePermission(caller, 'WebHooks.View');
}

const isSame = (ids: readonly string[], others: readonly string[]): boolean =>
  ids.length === others.length && ids.every((id, n) => id === others[n]);
