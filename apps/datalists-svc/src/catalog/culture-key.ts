import type { DataListItem } from '@canvass/contracts';

/** Culture keys: `nl`, `nl-be`, `zh-hant-tw`; lowercase and shaped like BCP 47 (RFC 5646), not looked up in a registry. */

/** Longest culture key, in characters. */
export const cultureKeyLimit = 35;

/** The synthetic key of the list's default locale. */
export const defaultKey = 'default';

const shape = /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/;

/** Names that have another meaning as a CSV column or label key. */
const reserved: readonly string[] = [defaultKey, 'value'];

/** Trimmed and lowercased; null if that is no culture key. */
export function normalizeCultureKey(text: string): string | null {
  const key = text.trim().toLowerCase();
  return key.length <= cultureKeyLimit && shape.test(key) && !reserved.includes(key) ? key : null;
}

export interface LocaleCatalog {
  defaultLocale: string;
  availableLocales: readonly string[];
}

/**
 * The label key that `text` names in this list: `default` for `default` and for the default locale, the culture key
 * where the list has that locale, else null.
 */
export function labelKeyOf(list: LocaleCatalog, text: string): string | null {
  const key = text.trim().toLowerCase();
  if (key === defaultKey || key === list.defaultLocale) return defaultKey;
  return list.availableLocales.includes(key) ? key : null;
}

/** `locales` with those of `more` that it lacks, at the end. */
export function withLocales(locales: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...locales, ...more])];
}

/** The item with those of its labels that are among `keys`, in their order. */
export function pickLabels({ value, labels }: DataListItem, keys: readonly string[]): DataListItem {
  const present = keys.filter((key) => labels[key] !== undefined);
  return { value, labels: Object.fromEntries(present.map((key) => [key, labels[key]!])) };
}

/** All label keys of the list, `default` first. */
export function labelKeysOf(list: LocaleCatalog): string[] {
  return [defaultKey, ...list.availableLocales.filter((key) => key !== list.defaultLocale)];
}
