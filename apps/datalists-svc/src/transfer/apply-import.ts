import { Problem } from '@canvass/errors';
import { assertIfMatch, digestOf, type IfMatch } from '@canvass/service-kit';
import type { Database } from '@canvass/postgres';
import { assertRevision, findList, type ListRef } from '../catalog';
import { dropStaged } from '../items';
import type { ImportAnswer } from './import-list';
import { assertNotCancelled } from './import-progress';
import { deleteExpired, deleteImport, markApplied, type ImportKey } from './imports.sql';
import { putInForce } from './put-in-force';
import { importView, requireImport } from './read-import';
import type { StageDeps } from './stage-import';

/**
 * Makes the items of an import those of its list.
 *
 * @throws {Problem} `not_found`; `revision_mismatch` if the list changed; `conflict` unless the import is
 * ready, and if the locales of the list were changed, or items that were merged; `quota_exceeded`
 */
export async function applyImport(deps: StageDeps, ref: ListRef, id: string): Promise<ImportAnswer> {
  const started = performance.now();
  const key: ImportKey = { tenantId: ref.tenantId, listId: ref.id, id };
  const row = await requireImport(deps.db, key);
  assertReady(row.state);
  assertRevision(ref, await findList(deps.db, ref.tenantId, ref.id));
  const staged = {
    to: { tenantId: ref.tenantId, listId: ref.id, version: row.version },
    rows: row.rows,
    base: row.mergedWith,
    catalogue: { defaultLocale: row.defaultLocale, availableLocales: row.availableLocales },
    ensureLocales: row.ensureLocales,
  };
  const { view, difference } = await putInForce(deps, ref, staged, async (tx, switched) => {
    const result = {
      difference: JSON.stringify(switched.difference),
      revision: switched.view.revision,
    };
    assertNotCancelled(await tx.query(markApplied({ ...key, ...result })));
  });
  const durationMs = Math.round(performance.now() - started);
  return { ...view, import: { rows: row.rows, ...difference, durationMs, file: row.file } };
}

function assertReady(state: string): void {
  if (state !== 'ready') throw new Problem('conflict', { detail: `The import is ${state}, not ready.` });
}

/**
 * Cancels an import that is being received, or discards it. What was applied stays applied.
 *
 * @throws {Problem} `not_found`; `revision_mismatch`
 */
export async function cancelImport(
  { db, wakeCleaner }: Pick<StageDeps, 'db' | 'wakeCleaner'>,
  key: ImportKey,
  ifMatch: IfMatch,
): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await requireImport(tx, key);
    assertIfMatch(ifMatch, digestOf(importView(row)), 'The import has changed.');
    // Items that are in force belong to the versions of the list.
    if (row.state !== 'applied')
      await dropStaged(tx, { tenantId: key.tenantId, listId: key.listId, version: row.version });
    await tx.query(deleteImport(key));
  });
  wakeCleaner();
}

/** Deletes the imports whose time is over, with their errors. The cleaner deletes their items. */
export async function removeExpiredImports(db: Database): Promise<void> {
  while ((await db.query(deleteExpired())).length > 0);
}
