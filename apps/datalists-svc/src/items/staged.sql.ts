import { Problem } from '@canvass/errors';
import { statement, type Database, type Queryable, type Tx } from '@canvass/postgres';
import { graceSeconds } from './discard';
import type { ItemsVersion } from './items.sql';
import { copyLines } from './write-items.sql';

/**
 * A commit of staged items does not wait for the disk. The transaction that adopts them does, and Postgres
 * writes its log in order.
 */
const withoutWaiting = statement<void>('staged-without-waiting', 'set local synchronous_commit = off');

/** A list whose items are replaced. */
type List = Pick<ItemsVersion, 'tenantId' | 'listId'>;

const begin = statement<List, { version: string }>(
  'staged-begin',
  `insert into discarded_versions (tenant_id, list_id, version)
   values ($tenantId, $listId, next_id()) returning version`,
);
const keep = statement<ItemsVersion, { version: string }>(
  'staged-keep',
  `update discarded_versions set discarded_at = now()
   where tenant_id = $tenantId and list_id = $listId and version = $version and discarded_at > '-infinity'
   returning version`,
);
const adopt = statement<ItemsVersion, { version: string }>(
  'staged-adopt',
  `delete from discarded_versions
   where tenant_id = $tenantId and list_id = $listId and version = $version and discarded_at > '-infinity'
   returning version`,
);
const keepFor = statement<ItemsVersion & { seconds: number }, { version: string }>(
  'staged-keep-for',
  `update discarded_versions set discarded_at = now() + make_interval(secs => $seconds)
   where tenant_id = $tenantId and list_id = $listId and version = $version and discarded_at > '-infinity'
   returning version`,
);
const drop = statement<ItemsVersion>(
  'staged-drop',
  `update discarded_versions set discarded_at = '-infinity'
   where tenant_id = $tenantId and list_id = $listId and version = $version`,
);

/**
 * Begins a version that is written in several transactions, so that a slow upload holds none open. Until it
 * is adopted it counts as discarded: what a crash leaves is deleted after the grace period.
 */
export async function beginStaged(db: Queryable, list: List): Promise<ItemsVersion> {
  const [row] = await db.query(begin(list));
  return { ...list, version: row!.version };
}

/**
 * Writes some items of a staged version in one transaction. `lines` are of `linesOf`.
 *
 * @throws {Problem} `conflict` if the version was deleted, because nothing was written for an hour
 */
export async function writeStaged(db: Database, to: ItemsVersion, lines: readonly Buffer[]): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(withoutWaiting());
    assertKept(await tx.query(keep(to)));
    await copyLines(tx, lines);
  });
}

/**
 * Keeps a staged version for some hours, until it is adopted or dropped.
 *
 * @throws {Problem} `conflict` as `writeStaged`
 */
export async function keepStaged(tx: Tx, version: ItemsVersion, hours: number): Promise<void> {
  // The grace period follows.
  assertKept(await tx.query(keepFor({ ...version, seconds: hours * 3600 - graceSeconds })));
}

/**
 * Makes a staged version permanent, in the transaction that puts it in force.
 *
 * @throws {Problem} `conflict` as `writeStaged`
 */
export async function adoptStaged(tx: Tx, version: ItemsVersion): Promise<void> {
  assertKept(await tx.query(adopt(version)));
}

/** Gives a staged version to the cleaner at once. */
export async function dropStaged(db: Queryable, version: ItemsVersion): Promise<void> {
  await db.query(drop(version));
}

function assertKept(rows: readonly unknown[]): void {
  if (rows.length === 0)
    throw new Problem('conflict', { detail: 'The import was interrupted. Send it again.' });
}
