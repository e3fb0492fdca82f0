import type { WebhookAlert } from '@canvass/contracts';
import { de } from './texts-de';
import { en } from './texts-en';

/** In the languages of the console. */
const texts = { en, de };

export const mailLanguages = ['en', 'de'] as const;
export type MailLanguage = (typeof mailLanguages)[number];

/** Further ones are counted, so that a mail has a limit. */
const maxEndpoints = 50;

/** One mail with all these alerts, oldest first, by endpoint. */
export function digestOfAlerts(
  alerts: readonly WebhookAlert[],
  language: MailLanguage,
  consoleUrl: string | null,
): { subject: string; body: string } {
  const { subject, begin, lines, more, end } = texts[language];
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const time = (iso: string | null) => (iso === null ? '–' : format.format(new Date(iso)));
  const byEndpoint = new Map<string, WebhookAlert[]>();
  for (const alert of alerts)
    byEndpoint.set(alert.endpointId, [...(byEndpoint.get(alert.endpointId) ?? []), alert]);
  const parts = [...byEndpoint.values()].slice(0, maxEndpoints).map((all) => {
    const { endpointId, url } = all[0]!;
    const link = consoleUrl === null ? [] : [`  ${consoleUrl}/endpoints/${endpointId}`];
    const said = withoutOvertaken(all).map((alert) => `  ${lines[alert.kind](alert, time)}`);
    return [url, ...said, ...link].join('\n');
  });
  const further = byEndpoint.size - parts.length;
  return {
    subject: byEndpoint.size === 1 ? subject.one(alerts[0]!.url) : subject.many(byEndpoint.size),
    body: `${[begin, ...parts, ...(further > 0 ? [more(further)] : []), end].join('\n\n')}\n`,
  };
}

/** Of the alerts of one endpoint, oldest first, those that a later one does not correct. */
function withoutOvertaken(alerts: readonly WebhookAlert[]): WebhookAlert[] {
  const recovered = alerts.findLastIndex(({ kind }) => kind === 'recovered');
  const disabled = alerts.findLastIndex(({ kind }) => kind === 'disabled');
  return alerts.filter(({ kind }, n) => {
    if (kind === 'dead_letters') return true;
    if (n < recovered) return false;
    return kind === 'disabled' || kind === 'recovered' || n > disabled;
  });
}

export const testMail = (language: MailLanguage) => texts[language].test;
