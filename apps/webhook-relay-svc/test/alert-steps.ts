import { createMailer, type MailSettings } from '@canvass/mail';
import type { Database } from '@canvass/postgres';
import { silentLogger } from '@canvass/service-kit';
import { makeAlerts } from '../src/alerts/make-alerts';
import { sendMails, type CountMails } from '../src/alerts/send-mails';

export interface AlertSteps {
  /** What the job of a relay does each half minute. */
  run(): Promise<void>;
  make(): Promise<unknown>;
  send(): Promise<void>;
  /** Mails by what happened to them. */
  counted: Record<Parameters<CountMails>[0], number>;
}

/** The job of alerts, run by a test. That of a running relay continues beside it, as another copy's would. */
export function alertSteps(
  db: Database,
  mail: MailSettings,
  disableAfterSeconds = 5 * 24 * 3_600,
): AlertSteps {
  const mailer = createMailer(mail);
  const rules = { disableAfterSeconds, consoleUrl: mail.ConsoleUrl ?? null, hasMailServer: mailer !== null };
  const counted = { sent: 0, failed: 0, dropped: 0 };
  const deps = {
    db,
    mailer,
    from: mail.From,
    logger: silentLogger,
    count: (result: keyof typeof counted, mails = 1) => void (counted[result] += mails),
  };
  const make = () => makeAlerts(db, rules);
  const send = () => sendMails(deps, new AbortController().signal);
  return {
    make,
    send,
    counted,
    async run() {
      await make();
      await send();
    },
  };
}
