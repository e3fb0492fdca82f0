import type { Column } from './file-preview';
import { namesOf } from './known-languages';

/** What the columns of a table are, before a person decides. */

export interface Locales {
  defaultLocale: string;
  availableLocales: readonly string[];
}

const values = /^(values?|codes?|keys?|ids?|iso|wert|schlüssel|kürzel|nr\.?|nummer|number)$/i;
const labels = /^(default|labels?|names?|texts?|titles?|bezeichnung|beschriftung|titel)$/i;

/** Languages that a file may have and the list does not have yet. */
const common =
  'ar bg cs da de el en es et fi fr he hr hu it ja ko lt lv nl no pl pt ro ru sk sl sr sv tr uk zh';

/** The key of each column: what the server found, else what its name suggests; null: it is left out. */
export function suggestedKeys(columns: readonly Column[], list: Locales): (string | null)[] {
  const taken = new Set(columns.flatMap(({ key }) => key ?? []));
  return columns.map(({ name, key }) => {
    if (key !== null) return key;
    const found =
      [suggestionOf(name.trim(), list)].flat().find((own) => own !== null && !taken.has(own)) ?? null;
    if (found !== null) taken.add(found);
    return found;
  });
}

/** Keys that fit a name, the best first. */
function suggestionOf(name: string, list: Locales): string[] {
  if (values.test(name)) return ['value'];
  if (labels.test(name)) return ['default'];
  const locale = localeOf(name.toLowerCase(), list);
  if (locale === null) return [];
  return locale === list.defaultLocale ? ['default'] : [locale];
}

/** The locale that a name is the code or the name of, in English, German or its own language. */
function localeOf(name: string, list: Locales): string | null {
  const codes = [...list.availableLocales, list.defaultLocale, ...common.split(' ')];
  return codes.find((code) => code === name || namesOf(code).includes(name)) ?? null;
}

/** Locales that the list gets with the columns. */
export const newLocales = (keys: readonly (string | null)[], list: Locales): string[] => {
  const known = ['value', 'default', list.defaultLocale, ...list.availableLocales];
  return [...new Set(keys)].filter((key): key is string => key !== null && !known.includes(key));
};

/** The names that the server must be given, because it would take them for something else. */
export const columnMap = (
  columns: readonly Column[],
  keys: readonly (string | null)[],
): Record<string, string | null> =>
  Object.fromEntries(
    columns.flatMap(({ name, key }, n) =>
      name.trim() === '' || (key === keys[n] && key !== null) ? [] : [[name, keys[n]!]],
    ),
  );
