import { useTextsOf } from '../../i18n';

const en = {
  ofTenant: 'Webhook settings of the tenant',
  ofForm: 'Webhook settings of the form',
  leadTenant: 'They hold for each form without settings of its own.',
  choice: 'Who is notified of this form',
  inherited: 'As the tenant says',
  own: 'Settings of this form',
  none: 'No receiver',
  events: {
    SubmissionCompleted: 'Submission completed',
    SubmissionCollectionStatusChanged: 'Progress of a submission',
    SubmissionDeleted: 'Submission deleted',
    SubmitterErased: 'Submitter erased',
    FormCreated: 'Form created',
    FormUpdated: 'Form changed',
    FormEnabledStateChanged: 'Form enabled or disabled',
    FormDeleted: 'Form deleted',
  } as Readonly<Record<string, string>>,
  isSent: 'Is sent',
  isNotSent: 'not sent',
  url: 'URL',
  header: 'Header of the API key (optional)',
  apiKey: 'API key',
  apiKeyHint: '******** keeps the stored key. Another URL or header needs the key again.',
  endpoint: 'Endpoint',
  add: (event: string) => `+ Endpoint for: ${event}`,
  remove: (url: string) => `Remove ${url}`,
  save: 'Save',
  saved: (revision: string) => `Saved as revision ${revision}.`,
  savedForm: 'Saved.',
  summary: 'Who is notified of what',
  nothing: 'Nothing is sent.',
};

const de: typeof en = {
  ofTenant: 'Webhook-Einstellungen des Mandanten',
  ofForm: 'Webhook-Einstellungen des Formulars',
  leadTenant: 'Sie gelten für jedes Formular ohne eigene Einstellungen.',
  choice: 'Wer von diesem Formular erfährt',
  inherited: 'Wie beim Mandanten',
  own: 'Einstellungen dieses Formulars',
  none: 'Kein Empfänger',
  events: {
    SubmissionCompleted: 'Antwort abgeschlossen',
    SubmissionCollectionStatusChanged: 'Fortschritt einer Antwort',
    SubmissionDeleted: 'Antwort gelöscht',
    SubmitterErased: 'Person gelöscht',
    FormCreated: 'Formular angelegt',
    FormUpdated: 'Formular geändert',
    FormEnabledStateChanged: 'Formular ein- oder ausgeschaltet',
    FormDeleted: 'Formular gelöscht',
  },
  isSent: 'Wird gesendet',
  isNotSent: 'wird nicht gesendet',
  url: 'URL',
  header: 'Header des API-Schlüssels (freiwillig)',
  apiKey: 'API-Schlüssel',
  apiKeyHint:
    '******** behält den gespeicherten Schlüssel. Eine andere URL oder ein anderer Header braucht ihn erneut.',
  endpoint: 'Empfänger',
  add: (event) => `+ Empfänger für: ${event}`,
  remove: (url) => `${url} entfernen`,
  save: 'Speichern',
  saved: (revision) => `Gespeichert als Revision ${revision}.`,
  savedForm: 'Gespeichert.',
  summary: 'Wer wovon erfährt',
  nothing: 'Es wird nichts gesendet.',
};

/** The texts of the webhook settings. */
export const useSettingsTexts = (): typeof en => useTextsOf({ en, de });
export type SettingsTexts = typeof en;
