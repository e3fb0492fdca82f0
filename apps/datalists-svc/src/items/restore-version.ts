import type { DataListView } from '@canvass/contracts';
import { notFound } from '@canvass/errors';
import { newestFirst, readKeyPage, type Database, type Queryable } from '@canvass/postgres';
import type { Actor, KeyPage, KeyQuery } from '@canvass/service-kit';
import { findList, localesLimit, lockList, viewOf, withLocales, type ListRef } from '../catalog';
import { countItems, type ListQuotas } from '../quotas';
import { switchItems } from './switch-items';
import { allVersions, selectVersion, type VersionCause, type VersionRow } from './versions.sql';

/** A version of a list's items in the API. */
export interface VersionView {
  /** Counts the versions of the list, from 1. */
  number: number;
  cause: VersionCause;
  restoredFrom: number | null;
  itemsCount: number;
  defaultLocale: string;
  availableLocales: string[];
  /** The revision of the list when the version was created. */
  revision: string;
  isCurrent: boolean;
  createdAt: string;
  createdBy: Actor | null;
}

const versionView = (row: VersionRow & { is_current: boolean }): VersionView => ({
  number: row.number,
  cause: row.cause,
  restoredFrom: row.restored_from,
  itemsCount: row.items_count,
  defaultLocale: row.default_locale,
  availableLocales: row.available_locales,
  revision: row.revision,
  isCurrent: row.is_current,
  createdAt: row.created_at.toISOString(),
  createdBy: row.created_by,
});

/**
 * The stored versions, the current one first.
 *
 * @throws {Problem} `not_found`, `validation_failed` for an invalid cursor
 */
export async function listVersions(
  db: Queryable,
  tenantId: string,
  listId: string,
  window: KeyQuery,
): Promise<KeyPage<VersionView>> {
  await findList(db, tenantId, listId);
  return readKeyPage(db, allVersions({ tenantId, listId }), newestFirst, window, versionView);
}

/** A stored version. @throws {Problem} `not_found` */
export async function requireVersion(
  db: Queryable,
  tenantId: string,
  id: string,
  number: number,
): Promise<VersionRow> {
  const version = await selectVersion(db, tenantId, id, number);
  if (version === undefined) throw notFound('version', String(number));
  return version;
}

/**
 * Restores items and default locale of an earlier version as a new version, without copying items. The
 * locales of the version return; locales added since stay. Restoring the current version changes nothing.
 *
 * @throws {Problem} `not_found` for a version that is not stored, `quota_exceeded`
 */
export async function restoreVersion(
  { db, quotas }: { db: Database; quotas: ListQuotas },
  ref: ListRef,
  number: number,
  kept: number,
): Promise<DataListView> {
  return db.transaction(async (tx) => {
    const row = await lockList(tx, ref);
    const version = await requireVersion(tx, ref.tenantId, ref.id, number);
    if (version.items_version === row.items_version) return viewOf(row);
    const values = {
      items_version: version.items_version,
      items_count: version.items_count,
      default_locale: version.default_locale,
      // Locales beyond the limit have no labels in this version.
      available_locales: withLocales(version.available_locales, row.available_locales).slice(0, localesLimit),
    };
    const list = await switchItems(tx, ref, row, kept, { values, cause: 'restored', restoredFrom: number });
    const { tenantId } = ref;
    const added = version.items_count - row.items_count;
    await quotas.assertRoom(tx, tenantId, 'listItems', countItems({ tenantId }), added);
    return viewOf(list);
  });
}
