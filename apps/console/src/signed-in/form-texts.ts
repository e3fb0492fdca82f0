import { useTextsOf } from '../i18n';
import { formsDe } from './forms/texts-de';
import { formsEn, type FormTexts } from './forms/texts-en';

export type { FormTexts };

/** The texts of the pages on forms. They are loaded with these pages. */
export const useFormTexts = (): FormTexts => useTextsOf({ en: formsEn, de: formsDe });
