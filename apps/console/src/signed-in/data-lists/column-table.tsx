import { boxClass, ForeignText, Notice } from '@canvass/console-ui';
import { usePreferences } from '../../i18n';
import { useListTexts } from '../data-list-texts';
import type { Locales } from './column-keys';
import lists from '../list.module.css';
import styles from './data-lists.module.css';
import { localeName } from './known-languages';

interface ColumnTableProps {
  names: readonly string[];
  /** The first rows of the file. */
  rows: readonly (readonly string[])[];
  keys: readonly (string | null)[];
  setKeys(keys: readonly (string | null)[]): void;
  /** Languages of columns that the list does not have. */
  offered: readonly string[];
  list: Locales;
}

const samples = 2;

/** Asks what each column of a file is. */
export function ColumnTable({ names, rows, keys, setKeys, offered, list }: ColumnTableProps) {
  const texts = useListTexts();
  const { language } = usePreferences();
  const locales = [...list.availableLocales.filter((locale) => locale !== list.defaultLocale), ...offered];
  const isMissing = !keys.includes('value') || !keys.includes('default');
  return (
    <>
      <p>{texts.columnsLead}</p>
      <ul className={styles.mapping} aria-label={texts.columnsTitle}>
        {names.map((name, n) => (
          <li key={n}>
            <span>
              <strong>
                <ForeignText isCut>{name || '–'}</ForeignText>
              </strong>
              <span className={lists.soft}>
                <ForeignText isCut>
                  {rows
                    .slice(0, samples)
                    .map((cells) => cells[n] || '–')
                    .join(' · ')}
                </ForeignText>
              </span>
            </span>
            <select
              className={boxClass}
              aria-label={texts.becomesOf(name || '–')}
              value={keys[n] ?? ''}
              onChange={({ target: { value } }) =>
                setKeys(keys.map((own, at) => (at === n ? value || null : own)))
              }
            >
              <option value="">{texts.leftOut}</option>
              <option value="value">{texts.listValue}</option>
              <option value="default">{texts.defaultLabel(localeName(list.defaultLocale, language))}</option>
              {locales.map((locale) => (
                <option key={locale} value={locale}>
                  {offered.includes(locale)
                    ? texts.newLanguage(localeName(locale, language))
                    : localeName(locale, language)}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
      {isMissing && <Notice tone="warn">{texts.columnsMissing}</Notice>}
    </>
  );
}
