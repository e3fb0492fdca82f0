import { recordAudit } from '@canvass/audit';
import type { Principal } from '@canvass/auth';
import { countForms } from '../quotas';
import {
  announceVersion,
  assertEndpointQuota,
  checkSettings,
  parseSettings,
  saveVersion,
  type SettingsRules,
  type WebhookSettingsDeps,
} from '../webhook-settings';
import { assertWindow, type FormBody } from './form-body';
import { announce } from './form-events';
import { columnsOf } from './form-record';
import { keepDefinition } from './form-versions';
import { assertMayChange } from './guarded-members';
import { insertForm, nextId, type FormRow } from './forms.sql';
import { assertMayExpire, setByCaller } from './retention-period';

/**
 * Checks the permissions of the caller, and over the network the addresses of a new form's webhook settings.
 *
 * @throws {Problem} `permission_denied`, `validation_failed`
 */
export async function checkNewForm(rules: SettingsRules, caller: Principal, body: FormBody): Promise<void> {
  assertWindow(body);
  assertMayChange(caller, body, null);
  assertMayExpire(caller, body.retentionDays);
  if (body.webHookSettingsJson !== null) await checkSettings(parseSettings(body.webHookSettingsJson), rules);
}

/**
 * Creates a form that `checkNewForm` accepted, with the event `form.created`.
 *
 * @throws {Problem} `validation_failed` for invalid webhook settings, `quota_exceeded`
 */
export async function createForm(
  deps: WebhookSettingsDeps,
  tenantId: string,
  body: FormBody,
  traceparent: string,
): Promise<FormRow> {
  const override = body.webHookSettingsJson === null ? null : parseSettings(body.webHookSettingsJson);
  return deps.db.transaction(async (tx) => {
    const [{ id } = { id: '' }] = await tx.query(nextId());
    const scope = { tenantId, scope: 'form', scopeId: id } as const;
    const stored = { json: null, version: null };
    const { newVersion, ...settings } = await saveVersion(tx, deps, {
      ...scope,
      settings: override,
      stored,
    });
    const setBy = body.retentionDays === null ? null : setByCaller();
    const [form] = await tx.query(insertForm({ tenantId, id, ...columnsOf(body, settings, setBy) }));
    await keepDefinition(tx, tenantId, id);
    await deps.quotas.assertRoom(tx, tenantId, 'forms', countForms({ tenantId }), 1);
    await assertEndpointQuota(tx, deps.quotas, tenantId, { before: null, after: settings.json });
    const revision = form!.view.revision;
    if (newVersion !== null)
      await announceVersion(tx, { ...scope, version: newVersion, revision, traceparent });
    await recordAudit(tx, { tenantId, object: ['form', id], after: { name: form!.view.name } });
    await announce(tx, 'form.created', tenantId, form!, traceparent);
    tx.afterCommit(() => deps.wake());
    return form!;
  });
}
