import { useTextsOf } from '../../i18n';

const en = {
  groupForm: 'Form',
  groupAnswers: 'Who answers, and when',
  groupPage: 'Page',
  groupKept: 'What is kept',
  answerCheck: 'Check of answers',
  checks: {
    off: 'Off: completed answers are taken as they are',
    report: 'Report: answers that break a rule of the form are marked',
    enforce: 'Enforce: answers that break a rule of the form are refused',
  },
  logo: 'Logo',
  logoHint: 'A PNG, JPEG or SVG picture of at most 48 KB.',
  removeLogo: 'Remove the logo',
  logoTooLarge: 'The picture has more than 48 KB.',
  scheme: 'Colours',
  schemes: { auto: 'As the device', light: 'Light', dark: 'Dark' },
  redirectHosts: 'Hosts of further addresses',
  redirectHostsHint: 'The definition (navigateToUrl) may lead to these hosts, too. Separated by spaces.',
};

const de: typeof en = {
  groupForm: 'Formular',
  groupAnswers: 'Wer antwortet, und wann',
  groupPage: 'Seite',
  groupKept: 'Was aufbewahrt wird',
  answerCheck: 'Prüfung der Antworten',
  checks: {
    off: 'Aus: abgeschlossene Antworten gelten, wie sie sind',
    report: 'Melden: Antworten, die eine Regel des Formulars verletzen, sind markiert',
    enforce: 'Erzwingen: Antworten, die eine Regel des Formulars verletzen, werden abgelehnt',
  },
  logo: 'Logo',
  logoHint: 'Ein Bild als PNG, JPEG oder SVG mit höchstens 48 KB.',
  removeLogo: 'Logo entfernen',
  logoTooLarge: 'Das Bild hat mehr als 48 KB.',
  scheme: 'Farben',
  schemes: { auto: 'Wie das Gerät', light: 'Hell', dark: 'Dunkel' },
  redirectHosts: 'Hosts weiterer Adressen',
  redirectHostsHint:
    'Die Definition (navigateToUrl) darf auch zu diesen Hosts führen. Mit Leerzeichen getrennt.',
};

/** The texts of the settings that only their page has. */
export const useSettingsTexts = (): typeof en => useTextsOf({ en, de });
