import { useTextsOf } from '../../i18n';

const en = {
  pageOfForm: 'Page for respondents',
  pageOpen: 'Everybody who has the address can answer.',
  pageDisabled: 'The form is disabled: it accepts no answers.',
  pageNotOpen: (time: string) => `The form is not open yet. It opens on ${time}.`,
  pageClosed: (time: string) => `The form is closed since ${time}.`,
  pageFull: 'The form is full: it has as many submissions as it accepts.',
  pagePrivate: 'The form is not public: only people who have signed in can answer it.',
  makePublic: 'Make public',
  pageLanguage: 'Language of the page',
  browserLanguage: 'That of the browser',
  address: 'Address',
  openPage: 'Open the page',
  codeOfAddress: 'QR code of the address',
  saveCode: 'Download as SVG',
  embed: 'In a page of your own',
  embedHint: 'This line shows the form where it stands. The settings must allow the site of that page.',
  embedNowhere: 'No site is allowed yet.',
};

const de: typeof en = {
  pageOfForm: 'Seite für Befragte',
  pageOpen: 'Alle, die die Adresse haben, können antworten.',
  pageDisabled: 'Das Formular ist ausgeschaltet: Niemand kann antworten.',
  pageNotOpen: (time) => `Das Formular ist noch nicht offen. Es öffnet am ${time}.`,
  pageClosed: (time) => `Das Formular ist seit ${time} geschlossen.`,
  pageFull: 'Das Formular ist voll: Es hat so viele Einsendungen, wie es annimmt.',
  pagePrivate: 'Das Formular ist nicht öffentlich: Nur angemeldete Personen können antworten.',
  makePublic: 'Öffentlich machen',
  pageLanguage: 'Sprache der Seite',
  browserLanguage: 'Die des Browsers',
  address: 'Adresse',
  openPage: 'Seite öffnen',
  codeOfAddress: 'QR-Code der Adresse',
  saveCode: 'Als SVG herunterladen',
  embed: 'In einer eigenen Seite',
  embedHint:
    'Diese Zeile zeigt das Formular dort, wo sie steht. Die Einstellungen müssen die Website erlauben.',
  embedNowhere: 'Noch ist keine Website erlaubt.',
};

/** The texts of the page that shares a form. */
export const useShareTexts = (): typeof en => useTextsOf({ en, de });
