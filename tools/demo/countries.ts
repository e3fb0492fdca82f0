/**
 * All countries of ISO 3166 in every locale that the package `i18n-iso-countries` knows, as data list
 * items.
 */
import * as countries from 'i18n-iso-countries';
import type { DataListItem } from '@canvass/contracts';

export interface CountryList {
  defaultLocale: 'en';
  /** Every locale but the default one. */
  locales: string[];
  items: DataListItem[];
}

export function countryList(): CountryList {
  const supported = countries.getSupportedLanguages();
  const locales = supported.filter((locale) => locale !== 'en').sort();
  const items = Object.keys(countries.getAlpha2Codes())
    .sort()
    .map((code) => {
      const labels: Record<string, string> = { default: countries.getName(code, 'en') ?? code };
      for (const locale of locales) {
        const name = countries.getName(code, locale);
        if (name) labels[locale] = name;
      }
      return { value: code, labels };
    });
  return { defaultLocale: 'en', locales, items };
}
