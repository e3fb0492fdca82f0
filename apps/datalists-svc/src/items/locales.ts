import type { DataListView } from '@canvass/contracts';
import { Problem, validationProblem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { changeList, localesLimit, lockList, viewOf, withLocales, type ListRef } from '../catalog';
import { currentItems } from './find-items';
import { allocateVersion } from './items.sql';
import { copyWithDefault, copyWithoutKey } from './relabel.sql';
import { switchItems } from './switch-items';

/** Adds the missing locales. If none is missing, nothing changes. */
export async function addLocales(
  db: Database,
  ref: ListRef,
  locales: readonly string[],
): Promise<DataListView> {
  return db.transaction(async (tx) => {
    const row = await lockList(tx, ref);
    const available = extended(row.available_locales, locales, 'locales');
    if (available.length === row.available_locales.length) return viewOf(row);
    return viewOf(await changeList(tx, ref, row, { available_locales: available }, 'datalist.updated'));
  });
}

/**
 * Removes a locale and its labels. If the list does not have it, nothing changes.
 *
 * @throws {Problem} `conflict` for its default locale
 */
export async function removeLocale(
  db: Database,
  ref: ListRef,
  locale: string,
  kept: number,
): Promise<DataListView> {
  return db.transaction(async (tx) => {
    const row = await lockList(tx, ref);
    if (locale === row.default_locale) {
      throw new Problem('conflict', { detail: `${locale} is the default locale of the list.` });
    }
    if (!row.available_locales.includes(locale)) return viewOf(row);
    const version = await allocateVersion(tx);
    await copyWithoutKey(tx, currentItems(row), version, locale);
    const available = row.available_locales.filter((key) => key !== locale);
    const values = { available_locales: available, items_version: version };
    return viewOf(await switchItems(tx, ref, row, kept, { values, cause: 'locale_removed' }));
  });
}

/**
 * Changes the default locale. The labels of the new one become the default labels; an item without one keeps
 * its default label. The old default labels are kept under the old default locale. A list without items
 * accepts any locale.
 */
export async function setDefaultLocale(
  db: Database,
  ref: ListRef,
  locale: string,
  kept: number,
): Promise<DataListView> {
  return db.transaction(async (tx) => {
    const row = await lockList(tx, ref);
    const previous = row.default_locale;
    if (locale === previous) return viewOf(row);
    if (row.items_count > 0 && !row.available_locales.includes(locale)) {
      throw validationProblem({ defaultLocale: [`must be a locale of the list; add ${locale} first`] });
    }
    const available = extended(row.available_locales, [locale, previous], 'defaultLocale');
    const version = await allocateVersion(tx);
    await copyWithDefault(tx, currentItems(row), version, { next: locale, previous });
    const values = { default_locale: locale, available_locales: available, items_version: version };
    return viewOf(await switchItems(tx, ref, row, kept, { values, cause: 'default_locale_changed' }));
  });
}

/** @throws {Problem} `validation_failed` for `field` if the list would have too many locales */
function extended(locales: readonly string[], more: readonly string[], field: string): string[] {
  const available = withLocales(locales, more);
  if (available.length > localesLimit) {
    throw validationProblem({ [field]: [`must not give the list more than ${localesLimit} locales`] });
  }
  return available;
}
