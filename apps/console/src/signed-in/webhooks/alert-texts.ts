import { useTextsOf } from '../../i18n';

const en = {
  lead: 'Who is notified when an endpoint fails.',
  title: 'Who gets alerts',
  addresses: 'E-mail addresses',
  addressesHint: 'Up to ten, separated by spaces.',
  noMail: 'This installation has no mail server, so it sends no e-mails. The alert URL still works.',
  language: 'Language of the e-mails',
  url: 'Alert URL',
  urlHint: 'This URL gets each alert as a signed webhook. A new URL gets a new secret.',
  endpoint: 'Status, deliveries and secret of the alert URL',
  when: 'When an alert is sent',
  kinds: [
    ['Failing', 'An endpoint has had no success for an hour.'],
    ['Soon disabled', 'A failing endpoint will be disabled within 24 hours.'],
    ['Disabled', 'An endpoint was disabled. Its deliveries wait. The alert gives the reason.'],
    ['Recovered', 'Deliveries to the endpoint succeed again.'],
    ['Given up', 'Deliveries will not be retried. The alert gives their number.'],
  ] as readonly (readonly [string, string])[],
  once: 'Each alert is sent once per fault. Alerts of the same time share one e-mail, with each endpoint at most once an hour.',
  test: 'Send a test',
  testHint: 'The test goes to all saved addresses and to the saved alert URL.',
  isSent: 'sent',
  urlStates: { delivered: 'delivered', failed: 'failed', pending: 'no result yet' } as Readonly<
    Record<string, string>
  >,
};

const de: typeof en = {
  lead: 'Wer erfährt, dass ein Empfänger gestört ist.',
  title: 'Wer Warnungen bekommt',
  addresses: 'E-Mail-Adressen',
  addressesHint: 'Bis zu zehn, durch Leerzeichen getrennt.',
  noMail:
    'Diese Installation hat keinen Mail-Server: Es werden keine E-Mails gesendet. Die Warn-URL funktioniert.',
  language: 'Sprache der E-Mails',
  url: 'Warn-URL',
  urlHint:
    'Diese URL bekommt jede Warnung als signierten Webhook. Eine neue URL bekommt ein neues Geheimnis.',
  endpoint: 'Status, Zustellungen und Geheimnis der Warn-URL',
  when: 'Wann eine Warnung gesendet wird',
  kinds: [
    ['Gestört', 'Ein Empfänger hatte seit einer Stunde keinen Erfolg.'],
    ['Bald ausgeschaltet', 'Ein gestörter Empfänger wird innerhalb von 24 Stunden ausgeschaltet.'],
    [
      'Ausgeschaltet',
      'Ein Empfänger wurde ausgeschaltet. Seine Zustellungen warten. Die Warnung nennt den Grund.',
    ],
    ['Wieder in Ordnung', 'Zustellungen an den Empfänger sind wieder erfolgreich.'],
    ['Aufgegeben', 'Zustellungen werden nicht mehr wiederholt. Die Warnung nennt ihre Anzahl.'],
  ],
  once: 'Jede Warnung wird je Störung einmal gesendet. Gleichzeitige Warnungen stehen in einer E-Mail, jeder Empfänger höchstens einmal pro Stunde.',
  test: 'Test senden',
  testHint: 'Der Test geht an alle gespeicherten Adressen und an die gespeicherte Warn-URL.',
  isSent: 'gesendet',
  urlStates: { delivered: 'zugestellt', failed: 'fehlgeschlagen', pending: 'noch kein Ergebnis' },
};

/** The texts of the page of alerts. */
export const useAlertTexts = (): typeof en => useTextsOf({ en, de });
