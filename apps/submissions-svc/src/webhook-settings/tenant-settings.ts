import { difference, recordAudit } from '@canvass/audit';
import type { SecretBox } from '@canvass/auth';
import type { Queryable, Transactor } from '@canvass/postgres';
import { assertIfMatch, type IfMatch } from '@canvass/service-kit';
import type { SubmissionsQuotas } from '../quotas';
import { maskSettings } from './secrets';
import { checkSettings, type SettingsRules } from './check-settings';
import { assertEndpointQuota } from './endpoint-quota';
import { parseSettings } from './parse-settings';
import { announceVersion, saveVersion } from './save-version';
import {
  ensureTenantSettings,
  getTenantSettings,
  lockTenantSettings,
  updateTenantSettings,
  type TenantSettingsRow,
} from './webhook-settings.sql';

export interface WebhookSettingsDeps {
  db: Transactor;
  box: SecretBox;
  quotas: SubmissionsQuotas;
  rules: SettingsRules;
  /** Wakes the dispatcher after new outbox rows. */
  wake(): void;
}

/** The settings of the tenant in the API. */
export interface TenantSettingsView {
  /** JSON text with masked secrets; null without settings. */
  webHookSettingsJson: string | null;
  /** `0` before the first save. */
  revision: string;
}

export async function readTenantSettings(db: Queryable, tenantId: string): Promise<TenantSettingsView> {
  const [row] = await db.query(getTenantSettings({ tenantId }));
  return viewOf(row);
}

/**
 * Replaces the settings of the tenant; null removes them. From then on they govern every form without an
 * override.
 *
 * @throws {Problem} `validation_failed` for invalid settings, `quota_exceeded` for too many endpoints,
 * `revision_mismatch` if `ifMatch` is not the stored revision
 */
export async function saveTenantSettings(
  deps: WebhookSettingsDeps,
  tenantId: string,
  text: string | null,
  { ifMatch, traceparent }: { ifMatch: IfMatch; traceparent: string },
): Promise<TenantSettingsView> {
  const settings = text === null ? null : parseSettings(text);
  if (settings) await checkSettings(settings, deps.rules);
  return deps.db.transaction(async (tx) => {
    await tx.query(ensureTenantSettings({ tenantId }));
    const [before] = await tx.query(lockTenantSettings({ tenantId }));
    assertIfMatch(ifMatch, before!.revision);
    const scope = { tenantId, scope: 'tenant', scopeId: tenantId } as const;
    const { json, version, newVersion } = await saveVersion(tx, deps, {
      ...scope,
      settings,
      stored: { json: before!.web_hook_settings_json, version: before!.webhook_settings_version },
    });
    if (newVersion === null) return viewOf(before);
    const [after] = await tx.query(updateTenantSettings({ tenantId, json, version }));
    await assertEndpointQuota(tx, deps.quotas, tenantId, {
      before: before!.web_hook_settings_json,
      after: json,
    });
    const settingsOf = (row: TenantSettingsRow | undefined) => {
      const { webHookSettingsJson: json } = viewOf(row);
      return { webHookSettings: json === null ? null : (JSON.parse(json) as unknown) };
    };
    const changes = difference(settingsOf(before), settingsOf(after), ['webHookSettings']);
    await recordAudit(tx, { tenantId, object: ['webhook_settings', tenantId], ...changes });
    await announceVersion(tx, { ...scope, version: newVersion, revision: after!.revision, traceparent });
    tx.afterCommit(() => deps.wake());
    return viewOf(after);
  });
}

const viewOf = (row: TenantSettingsRow | undefined): TenantSettingsView => ({
  webHookSettingsJson: row?.web_hook_settings_json ? maskSettings(row.web_hook_settings_json) : null,
  revision: row?.revision ?? '0',
});
