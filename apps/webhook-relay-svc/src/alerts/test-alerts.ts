import { withTimeout } from '@canvass/async';
import { recordAudit } from '@canvass/audit';
import { Problem } from '@canvass/errors';
import type { Mailer } from '@canvass/mail';
import type { Database } from '@canvass/postgres';
import { setTimeout as sleep } from 'node:timers/promises';
import { countTest, putTest } from '../endpoints';
import { findTestResult } from './alert-settings.sql';
import { readAlertSettings } from './alert-settings';
import { testMail } from './alert-mail';

export interface AlertTest {
  mails: { address: string; isSent: boolean; fault: string | null }[];
  /** Null without an alert URL. */
  url: {
    deliveryId: string;
    status: 'delivered' | 'failed' | 'pending';
    outcome: string | null;
    statusCode: number | null;
  } | null;
}

export interface TestDeps {
  db: Database;
  mailer: Mailer | null;
  /** Called when the test waits for its delivery. */
  onTest(): void;
}

/** Of a mail, and of the delivery; less than the gateway waits. */
const waitMs = 20_000;
const lookMs = 200;

/**
 * Sends a test to each address and to the alert URL, and waits for what happens.
 *
 * @throws {Problem} `conflict` if there is nothing to send to, or the alert URL is disabled;
 * `too_many_requests` after some in an hour
 */
export async function testAlerts(deps: TestDeps, tenantId: string, traceparent: string): Promise<AlertTest> {
  const { db, mailer, onTest } = deps;
  const settings = await readAlertSettings(db, tenantId);
  const { addresses, language, endpointId: id } = settings;
  const deliveryId = await db.transaction(async (tx) => {
    if (addresses.length === 0 && id === null)
      throw new Problem('conflict', { detail: 'There is neither an address nor an alert URL.' });
    await countTest(tx, tenantId, 'alerts');
    await recordAudit(tx, { tenantId, object: ['webhook_alerts', tenantId] });
    return id === null ? null : putTest(tx, { tenantId, id, eventName: null, traceparent });
  });
  if (deliveryId !== null) onTest();
  const [mails, url] = await Promise.all([
    Promise.all(addresses.map((to) => trySending(mailer, { to, language, ...testMail(language) }))),
    deliveryId === null ? null : resultOf(db, tenantId, deliveryId),
  ]);
  return { mails, url };
}

async function trySending(
  mailer: Mailer | null,
  mail: Parameters<Mailer['send']>[0],
): Promise<AlertTest['mails'][number]> {
  const answer = (fault: string | null) => ({ address: mail.to, isSent: fault === null, fault });
  if (!mailer) return answer('no mail server is configured');
  return withTimeout(mailer.send(mail), waitMs, 'the mail server did not answer in time').then(
    () => answer(null),
    (error: Error) => answer(error.message.slice(0, 300)),
  );
}

async function resultOf(db: Database, tenantId: string, deliveryId: string): Promise<AlertTest['url']> {
  for (const end = performance.now() + waitMs; performance.now() < end; await sleep(lookMs)) {
    const [found] = await db.query(findTestResult({ tenantId, deliveryId }));
    if (!found) continue;
    const { status, outcome, statusCode } = found;
    return { deliveryId, status: status === 'delivered' ? status : 'failed', outcome, statusCode };
  }
  return { deliveryId, status: 'pending', outcome: null, statusCode: null };
}
