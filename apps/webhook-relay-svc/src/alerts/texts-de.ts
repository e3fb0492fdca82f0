import type { MailTexts } from './texts-en';

export const de: MailTexts = {
  subject: {
    one: (url) => `Webhook-Endpunkt ${url} (Canvass)`,
    many: (endpoints) => `${endpoints} Webhook-Endpunkte (Canvass)`,
  },
  begin: 'Canvass berichtet über Ihre Webhook-Endpunkte. Zeiten sind UTC.',
  lines: {
    failing: ({ failingSince }, time) => `Seit ${time(failingSince)} war keine Zustellung erfolgreich.`,
    disable_soon: ({ disablesAt }, time) =>
      `Er wird nach ${time(disablesAt)} ausgeschaltet, wenn bis dahin keine Zustellung erfolgreich ist.`,
    disabled: ({ disabledReason, occurredAt }, time) =>
      `Er wurde ausgeschaltet (${time(occurredAt)}): ${
        disabledReason === 'gone'
          ? 'er hat mit 410 (gone) geantwortet'
          : disabledReason === 'manual'
            ? 'durch eine Person'
            : 'seit Tagen war keine Zustellung erfolgreich'
      }. Seine Zustellungen warten, bis er aktiviert wird.`,
    recovered: ({ failingSince, occurredAt }, time) =>
      `Er funktioniert wieder (${time(occurredAt)}). Die Störung begann ${time(failingSince)}.`,
    dead_letters: ({ deadDeliveries }) =>
      `Zustellungen, die nicht mehr wiederholt werden: ${deadDeliveries}. Sie können sie erneut senden.`,
  },
  more: (endpoints) => `Weitere Endpunkte: ${endpoints}.`,
  end: 'Sie bekommen diese E-Mail, weil Ihre Adresse in den Webhook-Warnungen Ihres Mandanten steht.',
  test: {
    subject: 'Test der Webhook-Warnungen (Canvass)',
    text: 'Dies ist ein Test. Warnungen zu Ihren Webhook-Endpunkten werden an diese Adresse gesendet.\n',
  },
};
