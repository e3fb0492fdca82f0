import { useTextsOf } from '../i18n';
import { listsDe } from './data-lists/texts-de';
import { listsEn, type ListTexts } from './data-lists/texts-en';

export type { ListTexts };

/** The texts of the pages on data lists. They are loaded with these pages. */
export const useListTexts = (): ListTexts => useTextsOf({ en: listsEn, de: listsDe });
