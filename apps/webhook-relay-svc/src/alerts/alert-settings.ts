import { difference, recordAudit } from '@canvass/audit';
import type { SecretBox } from '@canvass/auth';
import { webhookAlert } from '@canvass/contracts';
import { brokenRule, validationProblem } from '@canvass/errors';
import type { Database, Queryable, Tx } from '@canvass/postgres';
import { assertIfMatch, type IfMatch } from '@canvass/service-kit';
import { checkWebhookUrl, type AddressPolicy, type Resolver } from '@canvass/webhook-addresses';
import { storeVersion } from '../endpoints';
import type { MailLanguage } from './alert-mail';
import {
  ensureAlertSettings,
  getAlertSettings,
  lockAlertSettings,
  newIds,
  noteOlderDeadLetters,
  updateAlertSettings,
  type AlertSettings,
} from './alert-settings.sql';

/** What a person may set. */
export interface GivenAlertSettings {
  addresses: string[];
  language: MailLanguage;
  url: string | null;
}

/** The settings of a tenant without any. */
const none: AlertSettings = { addresses: [], language: 'en', url: null, endpointId: null, revision: '0' };

export async function readAlertSettings(db: Queryable, tenantId: string): Promise<AlertSettings> {
  const [row] = await db.query(getAlertSettings({ tenantId }));
  return row ?? none;
}

export interface SaveDeps {
  db: Database;
  box: SecretBox;
  policy: AddressPolicy;
  resolver?: Resolver | undefined;
}

/**
 * Replaces the settings. Another URL is another endpoint, with a secret of its own.
 *
 * @throws {Problem} `validation_failed` for a URL that webhooks may not reach, `revision_mismatch`
 */
export async function saveAlertSettings(
  { db, box, policy, resolver }: SaveDeps,
  tenantId: string,
  given: GivenAlertSettings,
  ifMatch: IfMatch,
): Promise<AlertSettings> {
  const verdict = given.url === null ? null : await checkWebhookUrl(given.url, policy, resolver);
  if (verdict && !verdict.ok)
    throw validationProblem({ url: [brokenRule('url.refused', { reason: verdict.reason })] });
  return db.transaction(async (tx) => {
    await tx.query(ensureAlertSettings({ tenantId }));
    const before = (await tx.query(lockAlertSettings({ tenantId })))[0]!;
    assertIfMatch(ifMatch, before.revision);
    const members = Object.keys(given) as (keyof GivenAlertSettings)[];
    const changes = difference<GivenAlertSettings>(before, given, members);
    if (!changes) return before;
    const { addresses, language, url } = given;
    const endpointId = url === before.url ? before.endpointId : await putUrl(tx, box, tenantId, url);
    const [updated] = await tx.query(updateAlertSettings({ tenantId, addresses, language, endpointId }));
    if (updated!.begins) await tx.query(noteOlderDeadLetters({ tenantId }));
    await recordAudit(tx, { tenantId, object: ['webhook_alerts', tenantId], ...changes });
    return readAlertSettings(tx, tenantId);
  });
}

/** Stores a version of settings that has the URL only. Returns the id of its endpoint. */
async function putUrl(tx: Tx, box: SecretBox, tenantId: string, url: string | null): Promise<string | null> {
  const { version, endpointId } = (await tx.query(newIds()))[0]!;
  const target = {
    event_name: webhookAlert.eventName,
    endpoint_id: endpointId,
    is_enabled: true,
    url: url ?? '',
    conditions: null,
    payload: 'full',
    format: 'canvass',
    credentials_sealed: null,
  } as const;
  const place = { tenantId, scope: 'alerts', scopeId: tenantId } as const;
  await storeVersion(tx, box, place, version, url === null ? [] : [target]);
  return url === null ? null : endpointId;
}
