import { useTextsOf } from '../../i18n';

const en = {
  comments: 'Comments',
  label: 'Comment',
  hint: 'Only users of the console see it.',
  add: 'Comment',
  remove: 'Delete',
  removeOf: (text: string) => `Delete the comment “${text}”`,
  noComments: 'No comments yet.',
};

const de: typeof en = {
  comments: 'Kommentare',
  label: 'Kommentar',
  hint: 'Nur Benutzer der Konsole sehen ihn.',
  add: 'Kommentieren',
  remove: 'Löschen',
  removeOf: (text) => `Kommentar „${text}“ löschen`,
  noComments: 'Noch keine Kommentare.',
};

/** The texts of the comments on a submission. */
export const useCommentTexts = (): typeof en => useTextsOf({ en, de });
