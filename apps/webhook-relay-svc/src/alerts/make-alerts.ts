import { webhookAlert, type WebhookAlert } from '@canvass/contracts';
import { advisoryLocks, type Database, type Tx } from '@canvass/postgres';
import { alertBody } from '../endpoints';
import { digestOfAlerts, type MailLanguage } from './alert-mail';
import {
  findAlerts,
  findDigests,
  insertAlerts,
  insertMails,
  sendAlerts,
  takePending,
  type FoundAlert,
} from './alerts.sql';

export interface AlertRules {
  /** `Service:WebHooks:DisableAfterDays`. */
  disableAfterSeconds: number;
  /** Of the console; null if it is not known. */
  consoleUrl: string | null;
  /** Without a mail server, what waits for a mail is taken and not sent. */
  hasMailServer: boolean;
}

const failingSeconds = 3_600;
/** A mail waits for the alerts of other endpoints, which often fail together. */
const gatherSeconds = 300;
const alertsAtOnce = 500;
const digestsAtOnce = 100;

/**
 * One step: makes the alerts that the state of endpoints asks for, their messages to alert URLs, and the
 * mails with what has waited long enough. Does nothing if another replica is at it. Returns whether more is
 * left.
 */
export async function makeAlerts(db: Database, rules: AlertRules): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [lock] = await tx.query<{ acquired: boolean }>(
      `select pg_try_advisory_xact_lock(${advisoryLocks.alerts}, hashtext(current_schema())) as acquired`,
    );
    if (!lock!.acquired) return false;
    const found = await noteAlerts(tx, rules);
    const digests = await tx.query(findDigests({ gatherSeconds, rows: digestsAtOnce }));
    for (const digest of digests) await mailAlerts(tx, digest, rules);
    return found === alertsAtOnce || digests.length === digestsAtOnce;
  });
}

async function noteAlerts(tx: Tx, { disableAfterSeconds: disableSeconds }: AlertRules): Promise<number> {
  const found = await tx.query(findAlerts({ failingSeconds, disableSeconds, rows: alertsAtOnce }));
  if (found.length === 0) return 0;
  const alerts = found.map((alert) => ({ alert, facts: factsOf(alert, disableSeconds) }));
  const rows = alerts.map(({ alert, facts }) => ({
    tenant_id: alert.tenantId,
    id: alert.id,
    endpoint_id: alert.endpointId,
    kind: alert.kind,
    episode: alert.episode,
    dead_letters: alert.deadLetters,
    facts,
  }));
  const inserted = await tx.query(insertAlerts({ alerts: JSON.stringify(rows) }));
  const made = new Set(inserted.map(({ id }) => id));
  // An alert URL gets no alert about itself.
  const sent = alerts.filter(
    ({ alert }) => made.has(alert.id) && alert.targetId !== null && alert.scope !== 'alerts',
  );
  const messages = sent.map(({ alert, facts }) => ({
    id: alert.id,
    tenant_id: alert.tenantId,
    target_id: alert.targetId,
    endpoint_id: alert.endpointId,
    form_id: alert.scope === 'form' ? alert.scopeId : null,
    body: alertBody(alert.id, facts).toString(),
  }));
  if (messages.length > 0) await tx.query(sendAlerts({ alerts: JSON.stringify(messages), ...webhookAlert }));
  return found.length;
}

function factsOf(alert: FoundAlert, disableSeconds: number): WebhookAlert {
  const { kind, began } = alert;
  const failingSince = kind === 'recovered' ? began : alert.failingSince;
  const isBefore = kind === 'failing' || kind === 'disable_soon';
  return {
    kind,
    endpointId: alert.endpointId,
    scope: alert.scope,
    scopeId: alert.scopeId,
    url: hostAndPath(alert.url),
    failingSince: failingSince?.toISOString() ?? null,
    disablesAt:
      isBefore && failingSince
        ? new Date(failingSince.getTime() + disableSeconds * 1000).toISOString()
        : null,
    disabledReason: kind === 'disabled' ? alert.disabledReason : null,
    deadDeliveries: Number(alert.unreported),
    occurredAt: alert.now.toISOString(),
  };
}

function hostAndPath(text: string): string {
  const { host, pathname } = new URL(text);
  return host + pathname;
}

interface Digest {
  tenantId: string;
  addresses: readonly string[];
  language: MailLanguage;
}

async function mailAlerts(tx: Tx, { tenantId, addresses, language }: Digest, rules: AlertRules) {
  const taken = await tx.query(takePending({ tenantId }));
  if (addresses.length === 0 || !rules.hasMailServer) return;
  taken.sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  const facts = taken.map((row) => row.facts);
  const { subject, body } = digestOfAlerts(facts, language, rules.consoleUrl);
  await tx.query(insertMails({ tenantId, addresses, language, subject, body }));
}
