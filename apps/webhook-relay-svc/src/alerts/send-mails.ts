import type { Mailer } from '@canvass/mail';
import type { Database } from '@canvass/postgres';
import type { Logger, Metrics } from '@canvass/service-kit';
import { claimMails, deleteMail, dropMails, type WaitingMail } from './alerts.sql';

/** `sent`, `failed` (it is tried again), `dropped` (after a day). */
export type CountMails = (result: 'sent' | 'failed' | 'dropped', mails?: number) => void;

export function createMailCount(metrics: Metrics): CountMails {
  const mails = metrics.counter<'result'>({
    name: 'webhook_alert_mails_total',
    help: 'Mails with alerts that the server accepted (sent) or did not accept (failed, tried again), and those given up after a day (dropped).',
    labels: ['result'],
  });
  return (result, count = 1) => mails.inc({ result }, count);
}

export interface MailDeps {
  db: Database;
  mailer: Mailer | null;
  /** `Service:Mail:From`, whose domain is that of message ids. */
  from: string | undefined;
  logger: Logger;
  count: CountMails;
}

/** Some servers permit a few connections only. */
const mailsAtOnce = 4;

/** Sends the mails that are due. Any number of replicas may do it: each mail is taken by one of them. */
export async function sendMails(deps: MailDeps, signal: AbortSignal): Promise<void> {
  const { db, mailer, logger, count } = deps;
  const dropped = await db.query(dropMails());
  if (dropped.length > 0) {
    count('dropped', dropped.length);
    logger.warn({ mails: dropped.length }, 'dropped mails that the mail server did not accept for a day');
  }
  if (!mailer) return;
  for (let taken = mailsAtOnce; taken === mailsAtOnce && !signal.aborted;) {
    const mails = await db.query(claimMails({ rows: mailsAtOnce }));
    await Promise.all(mails.map((mail) => sendMail(deps, mailer, mail)));
    taken = mails.length;
  }
}

/** A crash after the mail was sent repeats it with the same id. */
async function sendMail(
  { db, from, logger, count }: MailDeps,
  mailer: Mailer,
  { tenantId, id, address, language, subject, body }: WaitingMail,
): Promise<void> {
  try {
    await mailer.send({ to: address, subject, text: body, language, messageId: messageId(id, from) });
  } catch (error) {
    count('failed');
    // Not the error itself: it holds the address.
    const { code, responseCode } = error as { code?: string; responseCode?: number };
    logger.warn({ tenantId, mailId: id, code, responseCode }, 'failed to send a mail; trying again later');
    return;
  }
  count('sent');
  await db.query(deleteMail({ tenantId, id }));
}

const messageId = (id: string, from = '') =>
  `<alert-${id}@${/@([\w.-]+)/.exec(from)?.[1] ?? 'canvass.invalid'}>`;
