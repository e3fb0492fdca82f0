import type { WebhookAlert } from '@canvass/contracts';

/** What mails say. */
export interface MailTexts {
  subject: { one(url: string): string; many(endpoints: number): string };
  begin: string;
  lines: Record<WebhookAlert['kind'], (alert: WebhookAlert, time: (iso: string | null) => string) => string>;
  more(endpoints: number): string;
  end: string;
  test: { subject: string; text: string };
}

export const en: MailTexts = {
  subject: {
    one: (url) => `Webhook endpoint ${url} (Canvass)`,
    many: (endpoints) => `${endpoints} webhook endpoints (Canvass)`,
  },
  begin: 'Canvass reports about your webhook endpoints. Times are UTC.',
  lines: {
    failing: ({ failingSince }, time) => `No delivery has succeeded since ${time(failingSince)}.`,
    disable_soon: ({ disablesAt }, time) =>
      `It will be disabled after ${time(disablesAt)}, unless a delivery succeeds before.`,
    disabled: ({ disabledReason, occurredAt }, time) =>
      `It was disabled (${time(occurredAt)}): ${
        disabledReason === 'gone'
          ? 'it answered 410 (gone)'
          : disabledReason === 'manual'
            ? 'a person did it'
            : 'no delivery succeeded for days'
      }. Its deliveries wait until it is enabled.`,
    recovered: ({ failingSince, occurredAt }, time) =>
      `It works again (${time(occurredAt)}). The fault began ${time(failingSince)}.`,
    dead_letters: ({ deadDeliveries }) =>
      `Deliveries that are not retried any more: ${deadDeliveries}. You can recover them.`,
  },
  more: (endpoints) => `Further endpoints: ${endpoints}.`,
  end: 'You get this mail because your address is in the webhook alerts of your tenant.',
  test: {
    subject: 'Test of webhook alerts (Canvass)',
    text: 'This is a test. Alerts about your webhook endpoints will be sent to this address.\n',
  },
};
