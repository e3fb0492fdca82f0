import { recordAudit } from '@canvass/audit';
import type { WebhookSettings } from '@canvass/contracts';
import { notFound } from '@canvass/errors';
import type { Queryable } from '@canvass/postgres';
import { assertIfMatch, type IfMatch } from '@canvass/service-kit';
import {
  announceVersion,
  assertEndpointQuota,
  assertSettingsLength,
  checkSettings,
  maskSettings,
  saveVersion,
  type WebhookSettingsDeps,
} from '../webhook-settings';
import { formChanges } from './form-record';
import { getForm, lockForm, updateFormSettings, type FormRow } from './forms.sql';

/** The webhook settings of a form in the API. */
export interface FormSettingsView {
  /** Settings with masked secrets; null if those of the tenant apply. */
  settings: WebhookSettings | null;
  /** The version in force; `0` without settings. */
  revision: string;
}

/** @throws {Problem} `not_found` */
export async function readFormSettings(
  db: Queryable,
  tenantId: string,
  formId: string,
): Promise<FormSettingsView> {
  const [form] = await db.query(getForm({ tenantId, id: formId }));
  if (!form) throw notFound('form', formId);
  return viewOf(form);
}

/**
 * Replaces the webhook settings of a form; null removes them, and those of the tenant apply. Equal settings
 * change nothing. The revision of the form grows, without `form.updated`: the relay learns of the settings by
 * their own event.
 *
 * @throws {Problem} `not_found`, `revision_mismatch` if `ifMatch` is not the revision of the settings,
 * `validation_failed` for invalid settings, `quota_exceeded` for too many endpoints
 */
export async function saveFormSettings(
  deps: WebhookSettingsDeps,
  { tenantId, formId }: { tenantId: string; formId: string },
  settings: WebhookSettings | null,
  { ifMatch, traceparent }: { ifMatch: IfMatch; traceparent: string },
): Promise<FormSettingsView> {
  if (settings) {
    assertSettingsLength(settings);
    await checkSettings(settings, deps.rules, 'settings');
  }
  return deps.db.transaction(async (tx) => {
    const [before] = await tx.query(lockForm({ tenantId, id: formId }));
    if (!before) throw notFound('form', formId);
    assertIfMatch(ifMatch, viewOf(before).revision);
    const scope = { tenantId, scope: 'form', scopeId: formId } as const;
    const stored = { json: before.web_hook_settings_json, version: before.webhook_settings_version };
    const { newVersion, ...saved } = await saveVersion(tx, deps, {
      ...scope,
      settings,
      stored,
      field: 'settings',
    });
    if (newVersion === null) return viewOf(before);
    const [after] = await tx.query(
      updateFormSettings({ tenantId, id: formId, settingsJson: saved.json, settingsVersion: saved.version }),
    );
    await assertEndpointQuota(tx, deps.quotas, tenantId, { before: stored.json, after: saved.json });
    await recordAudit(tx, { tenantId, object: ['form', formId], ...formChanges(before, after!) });
    const { revision } = after!.view;
    await announceVersion(tx, { ...scope, version: newVersion, revision, traceparent });
    tx.afterCommit(() => deps.wake());
    return viewOf(after!);
  });
}

const viewOf = ({ web_hook_settings_json: json, webhook_settings_version: version }: FormRow) => ({
  settings: json === null ? null : (JSON.parse(maskSettings(json)) as WebhookSettings),
  revision: version ?? '0',
});
