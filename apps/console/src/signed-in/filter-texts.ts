import { useTextsOf } from '../i18n';

const en = {
  add: '+ Filter',
  choose: 'Choose a filter',
  find: 'Find a filter',
  findChoice: 'Find a choice',
  noFilterFound: 'No filter matches.',
  apply: 'Filter',
  back: 'Back',
  edit: (filter: string) => `Change the filter ${filter}`,
  remove: (filter: string) => `Remove the filter ${filter}`,
};

const de: typeof en = {
  add: '+ Filter',
  choose: 'Filter wählen',
  find: 'Filter suchen',
  findChoice: 'Auswahl suchen',
  noFilterFound: 'Kein Filter passt.',
  apply: 'Filtern',
  back: 'Zurück',
  edit: (filter) => `Filter ${filter} ändern`,
  remove: (filter) => `Filter ${filter} entfernen`,
};

/** The texts of the filters of all lists. */
export const useFilterTexts = (): typeof en => useTextsOf({ en, de });
