import { useTextsOf } from '../i18n';

const en = {
  title: 'Confirm that it is you',
  text: 'This changes how a user signs in. Enter your own password.',
  prove: 'Continue',
  currentPassword: 'Current password',
  code: 'Code of your second factor',
};

const de: typeof en = {
  title: 'Bestätigen Sie, dass Sie es sind',
  text: 'Das ändert, wie sich jemand anmeldet. Geben Sie Ihr eigenes Passwort ein.',
  prove: 'Weiter',
  currentPassword: 'Ihr jetziges Passwort',
  code: 'Code Ihres zweiten Faktors',
};

/** The texts of the proof of who one is. */
export const useProofTexts = (): typeof en => useTextsOf({ en, de });
