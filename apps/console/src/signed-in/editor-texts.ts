import { useTextsOf } from '../i18n';

const en = {
  save: 'Save',
  saving: 'Saving …',
  saved: 'Saved.',
  notSaved: 'Not saved',
  typeToConfirm: (text: string) => `Type ${text} to confirm`,
  deleteNow: 'Delete',
  deleted: 'Deleted.',
  conflictTitle: 'It was changed in the meantime',
  conflictText: 'Another change was saved first. Choose which values are kept.',
  field: 'Field',
  mine: 'Yours',
  theirs: 'Theirs',
  before: 'Before',
  kept: 'Kept',
  saveChoice: 'Save this choice',
  keepMine: 'Keep yours',
  takeTheirs: 'Take theirs',
};

const de: typeof en = {
  save: 'Speichern',
  saving: 'Wird gespeichert …',
  saved: 'Gespeichert.',
  notSaved: 'Nicht gespeichert',
  typeToConfirm: (text) => `Zur Bestätigung ${text} eingeben`,
  deleteNow: 'Löschen',
  deleted: 'Gelöscht.',
  conflictTitle: 'Es wurde inzwischen geändert',
  conflictText: 'Eine andere Änderung wurde zuerst gespeichert. Wählen Sie, welche Werte bleiben.',
  field: 'Feld',
  mine: 'Ihre',
  theirs: 'Die anderen',
  before: 'Vorher',
  kept: 'Bleibt',
  saveChoice: 'Diese Auswahl speichern',
  keepMine: 'Ihre behalten',
  takeTheirs: 'Die anderen übernehmen',
};

/** The texts of editors of records, and of the question before a record is deleted. */
export const useEditorTexts = (): typeof en => useTextsOf({ en, de });
