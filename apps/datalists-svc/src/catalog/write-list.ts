import type { DataListView } from '@canvass/contracts';
import { Problem, validationProblem, type FieldErrors } from '@canvass/errors';
import type { Database, Transactor, Tx } from '@canvass/postgres';
import { setTimeout as sleep } from 'node:timers/promises';
import { countLists, type ListQuotas } from '../quotas';
import type { ListPatch, NewList } from './catalog.schemas';
import { deleteListRow, insertList, viewOf, type ListRow } from './catalog.sql';
import { announce, changeList, lockList, type ListRef } from './change-list';
import { findList } from './read-list';

/** Dependencies on other slices; `app.ts` supplies them. */
export interface CatalogNeighbours {
  quotas: ListQuotas;
  /** Number of forms of the tenant that use the list. */
  formsUsing(tx: Tx, tenantId: string, listId: string): Promise<number>;
  /** Marks all versions of a list's items for deletion in the background. */
  discardAllItems(tx: Tx, tenantId: string, listId: string): Promise<void>;
}

/** @throws {Problem} `quota_exceeded` */
export async function createList(
  db: Transactor,
  { quotas }: Pick<CatalogNeighbours, 'quotas'>,
  caller: { tenantId: string; traceparent: string | null },
  list: NewList,
): Promise<DataListView> {
  return db.transaction(async (tx) => {
    const row = await insertList(tx, caller.tenantId, {
      name: list.name,
      description: list.description,
      is_active: list.isActive,
      default_locale: list.defaultLocale,
      available_locales: list.availableLocales,
      items_order: list.order,
    });
    const { tenantId } = caller;
    await quotas.assertRoom(tx, tenantId, 'dataLists', countLists({ tenantId }), 1);
    return announce(tx, 'datalist.created', null, row, caller.traceparent);
  });
}

/**
 * Replaces the given members. Without a difference nothing changes.
 *
 * @throws {Problem} `not_found`; `revision_mismatch`; `validation_failed` for locales that differ from those
 * of the list
 */
export async function patchList(db: Database, ref: ListRef, patch: ListPatch): Promise<DataListView> {
  return db.transaction(async (tx) => {
    const row = await lockList(tx, ref);
    assertSameLocales(row, patch);
    const values = {
      name: patch.name ?? row.name,
      description: patch.description === undefined ? row.description : patch.description,
      is_active: patch.isActive ?? row.is_active,
      items_order: patch.order ?? row.items_order,
    };
    const names = Object.keys(values) as (keyof typeof values)[];
    if (names.every((name) => values[name] === row[name])) return viewOf(row);
    return viewOf(await changeList(tx, ref, row, values, 'datalist.updated'));
  });
}

function assertSameLocales(row: ListRow, { defaultLocale, availableLocales }: ListPatch): void {
  const errors: FieldErrors = {};
  if (defaultLocale !== undefined && defaultLocale !== row.default_locale)
    errors['defaultLocale'] = [`is ${row.default_locale}; use PUT .../default-locale to change it`];
  const sorted = (locales: readonly string[]) => [...locales].sort().join(', ');
  if (availableLocales !== undefined && sorted(availableLocales) !== sorted(row.available_locales))
    errors['availableLocales'] = [
      `are ${row.available_locales.join(', ') || 'none'}; use POST and DELETE .../locales to change them`,
    ];
  if (Object.keys(errors).length > 0) throw validationProblem(errors);
}

/** A time longer than the normal delay of the event of a form that was just saved or deleted. */
const eventDelayMs = 500;

/**
 * Deletes the list unless a form uses it. The use is known from events, so it waits for events of recent
 * changes.
 *
 * @throws {Problem} `data_list_in_use` while a form uses the list
 */
export async function deleteList(
  db: Database,
  { formsUsing, discardAllItems }: CatalogNeighbours,
  ref: ListRef,
): Promise<void> {
  await findList(db, ref.tenantId, ref.id);
  await sleep(eventDelayMs);
  await db.transaction(async (tx) => {
    const row = await lockList(tx, ref);
    const forms = await formsUsing(tx, ref.tenantId, ref.id);
    if (forms > 0) {
      throw new Problem('data_list_in_use', {
        detail: `The data list is used by ${forms} ${forms === 1 ? 'form' : 'forms'}.`,
        extra: { forms },
      });
    }
    await discardAllItems(tx, ref.tenantId, row.id);
    await deleteListRow(tx, row);
    // The deletion is the last change of the list and has its own revision.
    const last = { ...row, revision: String(BigInt(row.revision) + 1n) };
    await announce(tx, 'datalist.deleted', row, last, ref.traceparent);
  });
}
