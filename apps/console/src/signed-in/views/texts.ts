import { useTextsOf } from '../../i18n';

const en = {
  view: 'View',
  standard: 'Standard',
  mine: 'Yours',
  ofTenant: 'For everybody',
  isDefault: '(default)',
  changed: 'Changed',
  save: 'Save',
  saveAs: 'Save as …',
  undo: 'Undo',
  edit: 'Edit the view …',
  saveTitle: 'Save the view',
  editTitle: 'Edit the view',
  saveText: 'Columns, height of rows, filters and order are saved.',
  name: 'Name',
  forEverybody: 'Everybody in the tenant sees it',
  opensWith: 'The list opens with it',
  saveView: 'Save the view',
  remove: 'Delete the view',
  saved: (name: string) => `The view ${name} is saved.`,
  missing: 'The view in this address was deleted, or it is that of another person.',
};

const de: typeof en = {
  view: 'Ansicht',
  standard: 'Standard',
  mine: 'Ihre',
  ofTenant: 'Für alle',
  isDefault: '(Vorgabe)',
  changed: 'Geändert',
  save: 'Speichern',
  saveAs: 'Speichern als …',
  undo: 'Rückgängig',
  edit: 'Ansicht bearbeiten …',
  saveTitle: 'Ansicht speichern',
  editTitle: 'Ansicht bearbeiten',
  saveText: 'Spalten, Höhe der Zeilen, Filter und Reihenfolge werden gespeichert.',
  name: 'Name',
  forEverybody: 'Alle im Mandanten sehen sie',
  opensWith: 'Die Liste öffnet mit ihr',
  saveView: 'Ansicht speichern',
  remove: 'Ansicht löschen',
  saved: (name) => `Die Ansicht ${name} ist gespeichert.`,
  missing: 'Die Ansicht in dieser Adresse wurde gelöscht, oder sie gehört einer anderen Person.',
};

/** The texts of saved views. */
export const useViewTexts = (): typeof en => useTextsOf({ en, de });
