import { every, type Loop } from '@canvass/async';
import type { Logger } from '@canvass/service-kit';
import { makeAlerts, type AlertRules } from './make-alerts';
import { sendMails, type MailDeps } from './send-mails';

const pauseMs = 30_000;

export interface AlertWorkerDeps extends MailDeps, Omit<AlertRules, 'hasMailServer'> {
  logger: Logger;
}

/** Makes alerts and sends their mails. Any number of replicas may run it. */
export function createAlertWorker(deps: AlertWorkerDeps): Loop {
  const rules = { ...deps, hasMailServer: deps.mailer !== null };
  const step = async (signal: AbortSignal) => {
    while (!signal.aborted && (await makeAlerts(deps.db, rules)));
    await sendMails(deps, signal);
  };
  return every(pauseMs, step, {
    atOnce: true,
    onError: (error) => deps.logger.warn({ error }, 'failed to make alerts; trying again'),
  });
}
