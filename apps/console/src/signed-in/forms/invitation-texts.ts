import { useTextsOf } from '../../i18n';

const en = {
  invitations: 'Personal links for many people',
  invitationsHint:
    'A CSV file of people becomes a submission and a link for each. Further columns are profile.\u2060<field> and answers.\u2060<question>. Canvass sends no mail.',
  invite: 'Make links from a file',
  file: 'CSV file',
  fileHint: 'At most 100,000 people. The separator and the encoding are detected.',
  expires: 'Links end',
  expiresHint: 'Empty: after 30 days.',
  states: { not_opened: 'Not opened', begun: 'Begun', done: 'Done' },
  statesOf: 'Submissions by the state of their invitation',
};

const de: typeof en = {
  invitations: 'Persönliche Links für viele',
  invitationsHint:
    'Aus einer CSV-Datei mit Personen wird je eine Einsendung mit einem Link. Weitere Spalten sind profile.\u2060<Feld> und answers.\u2060<Frage>. Canvass verschickt keine Mail.',
  invite: 'Links aus einer Datei machen',
  file: 'CSV-Datei',
  fileHint: 'Höchstens 100.000 Personen. Trennzeichen und Kodierung werden erkannt.',
  expires: 'Links enden',
  expiresHint: 'Leer: nach 30 Tagen.',
  states: { not_opened: 'Nicht geöffnet', begun: 'Begonnen', done: 'Fertig' },
  statesOf: 'Einsendungen nach dem Stand ihrer Einladung',
};

/** The texts of invitations. */
export const useInvitationTexts = (): typeof en => useTextsOf({ en, de });
