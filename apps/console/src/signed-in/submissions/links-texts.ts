import { useTextsOf } from '../../i18n';

const en = {
  links: 'Links',
  newLink: 'New link …',
  newLinkTitle: 'New link to this submission',
  newLinkHint: 'Anyone who has the link opens the submission on the page of the form, without a sign-in.',
  right: 'Right',
  rights: {
    continue: 'Answer and complete it',
    edit: 'Change it, also when it is complete',
    view: 'Read it',
  },
  note: 'Note',
  noteHint: 'Only users of the console see it.',
  expires: 'Expires',
  expiresHint: 'Empty: in 30 days. At most 366 days from now.',
  made: 'Created',
  lastUsed: 'Last used',
  makeLink: 'Create the link',
  linkOnce: 'Copy the link now. It is not shown again. Anyone who has it has this right.',
  link: 'Link',
  revoke: 'Revoke',
  revoked: 'Revoked',
  expired: 'Expired',
  noLinks: 'There are no links',
  noLinksHint: 'A link lets a person continue, edit or see this submission.',
};

const de: typeof en = {
  links: 'Links',
  newLink: 'Neuer Link …',
  newLinkTitle: 'Neuer Link zu dieser Einsendung',
  newLinkHint: 'Wer den Link hat, öffnet die Einsendung auf der Seite des Formulars, ohne sich anzumelden.',
  right: 'Recht',
  rights: { continue: 'Antworten und abschließen', edit: 'Ändern, auch nach dem Abschluss', view: 'Lesen' },
  note: 'Notiz',
  noteHint: 'Nur Benutzer der Konsole sehen sie.',
  expires: 'Läuft ab',
  expiresHint: 'Leer: in 30 Tagen. Höchstens 366 Tage von jetzt an.',
  made: 'Erstellt',
  lastUsed: 'Zuletzt benutzt',
  makeLink: 'Link erstellen',
  linkOnce: 'Kopieren Sie den Link jetzt. Er wird nicht wieder gezeigt. Wer ihn hat, hat dieses Recht.',
  link: 'Link',
  revoke: 'Widerrufen',
  revoked: 'Widerrufen',
  expired: 'Abgelaufen',
  noLinks: 'Es gibt keine Links',
  noLinksHint: 'Mit einem Link setzt eine Person diese Einsendung fort, ändert oder liest sie.',
};

/** The texts of the links of a submission. */
export const useLinkTexts = (): typeof en => useTextsOf({ en, de });
