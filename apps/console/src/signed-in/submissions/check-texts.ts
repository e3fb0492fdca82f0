import { useTextsOf } from '../../i18n';

const en = {
  check: 'Check',
  checks: { failed: 'Rules broken', passed: 'No rule broken', unchecked: 'Not checked' },
  faults: (count: number) => (count === 1 ? '1 rule broken' : `${count} rules broken`),
  rules: {
    required: 'An answer is required.',
    type: 'The value has the wrong type.',
    choice: 'The value does not belong to the choices.',
    invisible: 'The question was not visible.',
    unknown: 'The form has no such question.',
  } as Readonly<Record<string, string>>,
  otherRule: (rule: string) => `It breaks the rule “${rule}”.`,
};

const de: typeof en = {
  check: 'Prüfung der Antworten',
  checks: { failed: 'Regel verletzt', passed: 'Keine Regel verletzt', unchecked: 'Nicht geprüft' },
  faults: (count) => (count === 1 ? '1 Regel verletzt' : `${count} Regeln verletzt`),
  rules: {
    required: 'Eine Antwort ist nötig.',
    type: 'Der Wert hat die falsche Art.',
    choice: 'Der Wert gehört nicht zur Auswahl.',
    invisible: 'Die Frage war nicht sichtbar.',
    unknown: 'Das Formular hat keine solche Frage.',
  },
  otherRule: (rule) => `Die Regel „${rule}“ ist verletzt.`,
};

/** The texts of the check of answers by their form. */
export const useCheckTexts = (): typeof en => useTextsOf({ en, de });
export type CheckTexts = typeof en;
