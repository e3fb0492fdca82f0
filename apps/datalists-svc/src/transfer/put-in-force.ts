import type { DataListView } from '@canvass/contracts';
import { Problem } from '@canvass/errors';
import type { Database, Tx } from '@canvass/postgres';
import { findList, lockList, viewOf, type ListRef, type ListRow, type LocaleCatalog } from '../catalog';
import {
  adoptStaged,
  countDifference,
  currentItems,
  maxWriteMs,
  switchItems,
  type Difference,
  type ItemsVersion,
} from '../items';
import { countItems, type ListQuotas } from '../quotas';
import { extendedCatalogue } from './import-source';
import { assertBase } from './merge-items';

/** The items of an import, written but not in force. */
export interface Staged {
  to: ItemsVersion;
  rows: number;
  /** The items of the list that were merged with those of the file; null: the file replaces all. */
  base: string | null;
  /** The locales that the labels were checked against. */
  catalogue: LocaleCatalog;
  /** Locales that the list gets with the items. */
  ensureLocales: readonly string[];
}

export interface SwitchDeps {
  db: Database;
  quotas: ListQuotas;
  limits: { keptVersions: number };
}

/** A list after an import, and what the import changed. */
interface Switched {
  view: DataListView;
  difference: Difference;
}

/** The difference of a list to staged items. An empty list needs no comparison. */
export const differenceOf = async (
  tx: Tx,
  list: ListRow,
  { to, rows }: Pick<Staged, 'to' | 'rows'>,
): Promise<Difference> =>
  list.items_count === 0
    ? { added: rows, changed: 0, removed: 0, unchanged: 0 }
    : countDifference(tx, currentItems(list), to.version);

/**
 * Makes staged items the items of the list. The comparison takes long, so it runs before the list is locked.
 *
 * @param alsoIn further changes of the transaction
 * @throws {Problem} `not_found`; `revision_mismatch`; `conflict` if the locales of the list were changed, or
 * items that were merged; `quota_exceeded`
 */
export async function putInForce(
  { db, quotas, limits }: SwitchDeps,
  ref: ListRef,
  staged: Staged,
  alsoIn: (tx: Tx, switched: Switched) => Promise<void> = () => Promise.resolve(),
): Promise<Switched> {
  const { to, base, catalogue } = staged;
  return db.transaction(async (tx) => {
    await tx.limitStatements(maxWriteMs);
    const before = await findList(tx, ref.tenantId, ref.id);
    const compared = await differenceOf(tx, before, staged);

    const list = await lockList(tx, ref);
    assertBase(list, base);
    const available = extendedCatalogue(list, staged.ensureLocales).availableLocales;
    if (!covers(list, available, catalogue))
      throw new Problem('conflict', { detail: 'The locales of the list were changed during the import.' });
    const isUnchanged = list.items_version === before.items_version;
    const difference = isUnchanged ? compared : await differenceOf(tx, list, staged);
    await adoptStaged(tx, to);
    const count = difference.added + difference.changed + difference.unchanged;
    const values = { available_locales: available, items_count: count, items_version: to.version };
    const after = await switchItems(tx, ref, list, limits.keptVersions, { values, cause: 'imported' });
    const { tenantId } = ref;
    await quotas.assertRoom(tx, tenantId, 'listItems', countItems({ tenantId }), count - list.items_count);
    const switched = { view: viewOf(after), difference };
    await alsoIn(tx, switched);
    return switched;
  });
}

/** Returns whether labels that were checked against `catalogue` fit a list with the locales `available`. */
const covers = (list: ListRow, available: readonly string[], catalogue: LocaleCatalog): boolean =>
  list.default_locale === catalogue.defaultLocale &&
  catalogue.availableLocales.every((locale) => available.includes(locale));
