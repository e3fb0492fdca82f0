import { useTextsOf } from '../../i18n';

const en = {
  newFormHint: 'The form accepts no answers until you enable it.',
  beginWith: 'Start from',
  emptyForm: { name: 'Empty form', text: 'You write the definition' },
  existingForm: { name: 'Existing form', text: 'A copy of its questions and rules' },
  formToCopy: 'Form to copy',
  copyOf: (name: string) => `Copy of ${name}`.slice(0, 200),
  copyHint: 'The copy has the definition and all rules, but no submissions and no webhooks. It is disabled.',
  templates: {
    contact: { name: 'Contact', text: 'Name, topic, message' },
    event: { name: 'Event registration', text: 'On site or online, guests, food' },
    feedback: { name: 'Feedback', text: 'Recommendation from 0 to 10, reasons' },
    application: { name: 'Job application', text: 'Position, motivation, CV as a file' },
    employees: { name: 'Employee survey', text: 'Work, team, recommendation' },
  },
};

const de: typeof en = {
  newFormHint: 'Niemand kann antworten, bis Sie das Formular einschalten.',
  beginWith: 'Ausgangspunkt',
  emptyForm: { name: 'Leeres Formular', text: 'Sie schreiben die Definition' },
  existingForm: { name: 'Vorhandenes Formular', text: 'Eine Kopie seiner Fragen und Regeln' },
  formToCopy: 'Formular, das kopiert wird',
  copyOf: (name) => `Kopie von ${name}`.slice(0, 200),
  copyHint:
    'Die Kopie hat die Definition und alle Regeln, aber keine Einsendungen und Webhooks. Sie ist ausgeschaltet.',
  templates: {
    contact: { name: 'Kontakt', text: 'Name, Thema, Nachricht' },
    event: { name: 'Anmeldung', text: 'Vor Ort oder online, Gäste, Essen' },
    feedback: { name: 'Meinung', text: 'Empfehlung von 0 bis 10, Gründe' },
    application: { name: 'Bewerbung', text: 'Stelle, Motivation, Lebenslauf als Datei' },
    employees: { name: 'Mitarbeiterbefragung', text: 'Arbeit, Team, Empfehlung' },
  },
};

/** The texts of the beginning of a form. */
export const useStartTexts = (): typeof en => useTextsOf({ en, de });
