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
  saveText: 'Columns, row height, filters and order are saved.',
  name: 'Name',
  newName: (number: number) => `View ${number}`,
  audience: 'For whom',
  audiences: {
    me: 'Only you',
    'me default': 'Only you; the list opens with it',
    tenant: 'Everybody in the tenant',
    'tenant default': 'Everybody in the tenant; the list opens with it',
  },
  saveView: 'Save the view',
  remove: 'Delete the view',
  saved: (name: string) => `The view ${name} is saved.`,
  missing: 'The view in this address was deleted, or it belongs to another person.',
};

const de: typeof en = {
  view: 'Ansicht',
  standard: 'Standard',
  mine: 'Ihre',
  ofTenant: 'Für alle',
  isDefault: '(Standard)',
  changed: 'Geändert',
  save: 'Speichern',
  saveAs: 'Speichern als …',
  undo: 'Rückgängig',
  edit: 'Ansicht bearbeiten …',
  saveTitle: 'Ansicht speichern',
  editTitle: 'Ansicht bearbeiten',
  saveText: 'Spalten, Zeilenhöhe, Filter und Reihenfolge werden gespeichert.',
  name: 'Name',
  newName: (number) => `Ansicht ${number}`,
  audience: 'Für wen',
  audiences: {
    me: 'Nur für Sie',
    'me default': 'Nur für Sie; die Liste öffnet mit ihr',
    tenant: 'Alle im Mandanten',
    'tenant default': 'Alle im Mandanten; die Liste öffnet mit ihr',
  },
  saveView: 'Ansicht speichern',
  remove: 'Ansicht löschen',
  saved: (name) => `Die Ansicht ${name} ist gespeichert.`,
  missing: 'Die Ansicht in dieser Adresse wurde gelöscht, oder sie gehört einer anderen Person.',
};

/** The texts of saved views. */
export const useViewTexts = (): typeof en => useTextsOf({ en, de });
