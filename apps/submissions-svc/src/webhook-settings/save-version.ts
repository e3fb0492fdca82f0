import type { SecretBox } from '@canvass/auth';
import type { SettingsScope, WebhookSettings } from '@canvass/contracts';
import { append } from '@canvass/outbox';
import type { Tx } from '@canvass/postgres';
import { sealSecrets } from './secrets';
import type { SettingsRules } from './check-settings';
import { identifyEndpoints } from './endpoint-identity';
import { endpointsOf } from './endpoints';
import type { SettingsField } from './parse-settings';
import { insertVersion, latestVersion, newEndpointIds } from './webhook-settings.sql';

/** The columns that the owner of the settings (a form, or the tenant's settings record) stores. */
export interface StoredSettings {
  /** JSON text with sealed secrets; null without settings. */
  json: string | null;
  /** The version in force; null without settings. */
  version: string | null;
}

export interface SettingsChange {
  tenantId: string;
  scope: SettingsScope;
  scopeId: string;
  /** Validated settings; null removes them. */
  settings: WebhookSettings | null;
  stored: StoredSettings;
  /** The member of the request that has the settings, for errors. */
  field?: SettingsField;
}

/**
 * Creates the version that a change of settings brings into force. Equal settings keep their version. A
 * removal is a version without endpoints, so that deliveries to removed endpoints end. The caller must hold
 * the lock of the owner's row.
 */
export async function saveVersion(
  tx: Tx,
  { box, rules }: { box: SecretBox; rules: Pick<SettingsRules, 'profileFields'> },
  { tenantId, scope, scopeId, settings, stored, field }: SettingsChange,
): Promise<StoredSettings & { newVersion: string | null }> {
  const before = stored.json === null ? null : (JSON.parse(stored.json) as WebhookSettings);
  const sealed = settings && sealSecrets(settings, before, box, tenantId, field);
  const json = sealed && JSON.stringify(sealed);
  if (json === stored.json) return { ...stored, newVersion: null };

  const [latest] = await tx.query(latestVersion({ tenantId, scope, scopeId }));
  const count = sealed ? endpointsOf(sealed).length : 0;
  const ids = await tx.query(newEndpointIds({ count }));
  const events = identifyEndpoints(
    sealed ?? {},
    latest?.events ?? null,
    rules.profileFields,
    () => ids.pop()!.id,
  );
  const [inserted] = await tx.query(
    insertVersion({ tenantId, scope, scopeId, events: JSON.stringify(events) }),
  );
  const { version } = inserted!;
  return { json, version: json === null ? null : version, newVersion: version };
}

/** Informs the relay of newer settings. The event has only their number, never a URL or a key. */
export async function announceVersion(
  tx: Tx,
  change: Pick<SettingsChange, 'tenantId' | 'scope' | 'scopeId'> & {
    version: string;
    /** The revision of the form or the tenant's settings record, after the change. */
    revision: string;
    traceparent: string;
  },
): Promise<void> {
  const { tenantId, scope, scopeId, version, revision, traceparent } = change;
  await append(tx, {
    type: scope === 'form' ? 'form.webhook_settings_changed' : 'tenant.webhook_settings_changed',
    tenantId,
    entity: scope,
    entityId: scopeId,
    formId: scope === 'form' ? scopeId : null,
    revision,
    settings: null,
    traceparent,
    data: { scope, scopeId, version },
  });
}
