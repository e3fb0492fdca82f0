import { useTextsOf } from '../../i18n';

const en = {
  pageOfForm: 'Page for respondents',
  pageOpen: 'Everybody who has the address can answer.',
  pageDisabled: 'The form is disabled: it accepts no answers.',
  pageNotOpen: (time: string) => `The form is not open yet. It opens on ${time}.`,
  pageClosed: (time: string) => `The form closed on ${time}.`,
  pageFull: 'The form is full: it has as many submissions as it accepts.',
  pagePrivate: 'The form is not public: only people who have signed in can answer it.',
  makePublic: 'Make public',
  pageLanguage: 'Language of the page',
  browserLanguage: 'Automatic (language of the browser)',
  address: 'Address',
  openPage: 'Open the page',
  codeOfAddress: 'QR code of the address',
  saveCode: 'Download as SVG',
  embed: 'On your own website',
  embedHint: 'Put this line where the form should appear. The settings of the form must allow the website.',
  embedNowhere: 'No website is allowed yet.',
};

const de: typeof en = {
  pageOfForm: 'Seite für Befragte',
  pageOpen: 'Alle, die die Adresse haben, können antworten.',
  pageDisabled: 'Das Formular ist ausgeschaltet: Niemand kann antworten.',
  pageNotOpen: (time) => `Das Formular ist noch nicht offen. Es öffnet am ${time}.`,
  pageClosed: (time) => `Das Formular wurde am ${time} geschlossen.`,
  pageFull: 'Das Formular ist voll: Es hat so viele Einsendungen, wie es annimmt.',
  pagePrivate: 'Das Formular ist nicht öffentlich: Nur angemeldete Personen können antworten.',
  makePublic: 'Öffentlich machen',
  pageLanguage: 'Sprache der Seite',
  browserLanguage: 'Automatisch (Sprache des Browsers)',
  address: 'Adresse',
  openPage: 'Seite öffnen',
  codeOfAddress: 'QR-Code der Adresse',
  saveCode: 'Als SVG herunterladen',
  embed: 'Auf Ihrer Website',
  embedHint:
    'Setzen Sie diese Zeile dorthin, wo das Formular erscheinen soll. Die Einstellungen müssen die Website erlauben.',
  embedNowhere: 'Noch ist keine Website erlaubt.',
};

/** The texts of the page that shares a form. */
export const useShareTexts = (): typeof en => useTextsOf({ en, de });
