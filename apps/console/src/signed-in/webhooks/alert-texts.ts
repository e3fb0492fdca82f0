import { useTextsOf } from '../../i18n';

const en = {
  lead: 'Who learns that an endpoint fails.',
  title: 'Who gets alerts',
  addresses: 'E-mail addresses',
  addressesHint: 'Up to ten, separated by spaces.',
  noMail: 'This installation has no mail server: no mails are sent. The alert URL works.',
  language: 'Language of the mails',
  url: 'Alert URL',
  urlHint: 'It gets each alert as a signed webhook. Empty: no URL. Another URL gets another secret.',
  endpoint: 'State, deliveries and secret of the alert URL',
  when: 'When an alert is sent',
  kinds: [
    ['Failing', 'An endpoint has had no success for an hour.'],
    ['Soon disabled', 'It will be disabled within 24 hours.'],
    ['Disabled', 'It was disabled, with the reason. Its deliveries wait.'],
    ['Recovered', 'It succeeds again.'],
    ['Given up', 'Deliveries are not retried any more, with their number.'],
  ] as readonly (readonly [string, string])[],
  once: 'Each is sent once of a fault. A mail joins what happens together, and an endpoint is in one mail an hour at most.',
  test: 'Send a test',
  testHint: 'To all addresses and the alert URL as they are saved.',
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
    'Sie bekommt jede Warnung als signierten Webhook. Leer: keine URL. Eine andere URL bekommt ein anderes Geheimnis.',
  endpoint: 'Zustand, Zustellungen und Geheimnis der Warn-URL',
  when: 'Wann eine Warnung gesendet wird',
  kinds: [
    ['Gestört', 'Ein Empfänger hatte seit einer Stunde keinen Erfolg.'],
    ['Bald ausgeschaltet', 'Er wird innerhalb von 24 Stunden ausgeschaltet.'],
    ['Ausgeschaltet', 'Er wurde ausgeschaltet, mit dem Grund. Seine Zustellungen warten.'],
    ['Wieder in Ordnung', 'Zustellungen sind wieder erfolgreich.'],
    ['Aufgegeben', 'Zustellungen werden nicht mehr wiederholt, mit ihrer Anzahl.'],
  ],
  once: 'Jede wird je Störung einmal gesendet. Eine E-Mail fasst zusammen, was zugleich geschieht; ein Empfänger ist höchstens in einer E-Mail pro Stunde.',
  test: 'Test senden',
  testHint: 'An alle Adressen und die Warn-URL, wie sie gespeichert sind.',
  isSent: 'gesendet',
  urlStates: { delivered: 'zugestellt', failed: 'fehlgeschlagen', pending: 'noch kein Ergebnis' },
};

/** The texts of the page of alerts. */
export const useAlertTexts = (): typeof en => useTextsOf({ en, de });
