import { useTextsOf } from '../../i18n';

const en = {
  invitations: 'Personal links for many people',
  invitationsHint:
    'For each person in a CSV file, a submission with a personal link is created. Further columns can be profile.\u2060<field> and answers.\u2060<question>. Canvass sends no mail.',
  invite: 'Create links from a file',
  file: 'CSV file',
  fileHint: 'At most 100,000 people. The separator and the encoding are detected.',
  expires: 'Links expire',
  expiresHint: 'Empty: after 30 days.',
  states: { not_opened: 'Not started', begun: 'In progress', done: 'Complete or screened out' },
  statesOf: 'Submissions of the invited people',
};

const de: typeof en = {
  invitations: 'Persönliche Links für viele',
  invitationsHint:
    'Für jede Person einer CSV-Datei entsteht eine Einsendung mit einem persönlichen Link. Weitere Spalten können sein: profile.\u2060<Feld> und answers.\u2060<Frage>. Canvass verschickt keine Mail.',
  invite: 'Links aus einer Datei erstellen',
  file: 'CSV-Datei',
  fileHint: 'Höchstens 100.000 Personen. Trennzeichen und Kodierung werden erkannt.',
  expires: 'Links laufen ab',
  expiresHint: 'Leer: nach 30 Tagen.',
  states: { not_opened: 'Nicht begonnen', begun: 'In Bearbeitung', done: 'Abgeschlossen oder ausgeschieden' },
  statesOf: 'Einsendungen der Eingeladenen',
};

/** The texts of invitations. */
export const useInvitationTexts = (): typeof en => useTextsOf({ en, de });
