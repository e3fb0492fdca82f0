import type { DataListItem } from '@canvass/contracts';

/**
 * Culture keys such as `nl`, `nl-be` or `zh-hant-tw`: lowercase in BCP 47 form (RFC 5646), without a registry
 * lookup.
 */

/** Longest culture key, in characters. */
const cultureKeyLimit = 35;

/** The synthetic key of the list's default locale. */
export const defaultKey = 'default';

const shape = /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/;

/** Reserved names with another meaning as CSV column or label key. */
const reserved: readonly string[] = [defaultKey, 'value'];

/** Trimmed and lowercased; null if the text is not a culture key. */
export function normalizeCultureKey(text: string): string | null {
  const key = text.trim().toLowerCase();
  return key.length <= cultureKeyLimit && shape.test(key) && !reserved.includes(key) ? key : null;
}

export interface LocaleCatalog {
  defaultLocale: string;
  availableLocales: readonly string[];
}

/**
 * The label key that `text` names in the list: `default` for `default` and the default locale, the culture
 * key for another locale of the list, else null.
 */
export function labelKeyOf(list: LocaleCatalog, text: string): string | null {
  const key = text.trim().toLowerCase();
  if (key === defaultKey || key === list.defaultLocale) return defaultKey;
  return list.availableLocales.includes(key) ? key : null;
}

/** `locales`, followed by the missing ones of `more`. */
export function withLocales(locales: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...locales, ...more])];
}

/** The item with only the labels in `keys`, in their order. */
export function pickLabels({ value, labels }: DataListItem, keys: readonly string[]): DataListItem {
  const present = keys.filter((key) => labels[key] !== undefined);
  return { value, labels: Object.fromEntries(present.map((key) => [key, labels[key]!])) };
}

/** All label keys of the list, `default` first. */
export function labelKeysOf(list: LocaleCatalog): string[] {
  return [defaultKey, ...list.availableLocales.filter((key) => key !== list.defaultLocale)];
}
