import { recordAudit } from '@canvass/audit';
import { requirePermission, type Principal } from '@canvass/auth';
import { notFound, Problem } from '@canvass/errors';
import { newestFirst, readKeyPage, type Queryable, type Transactor, type Tx } from '@canvass/postgres';
import { assertIfMatch, digestOf, type IfMatch, type KeyPage, type KeyQuery } from '@canvass/service-kit';
import type { NewView, SavedView, ViewChange, Visibility } from './view';
import {
  countLimited,
  deleteView,
  endDefault,
  getView,
  insertView,
  lockViews,
  matchingViews,
  updateView,
  type Owner,
} from './views.sql';

/** Views of one person, and views of a tenant that everybody sees. */
const maxViews: Record<Visibility, number> = { me: 100, tenant: 500 };

export const ownerOf = ({ tenantId, provider, subject }: Principal): Owner => ({
  tenantId,
  provider,
  subject,
});

/** The caller's own views and those of the tenant, newest first. */
export function listViewsOf(
  db: Queryable,
  caller: Principal,
  { screen, scopeId, ...window }: KeyQuery & { screen?: string; scopeId?: string },
): Promise<KeyPage<SavedView>> {
  const filter = { ...ownerOf(caller), screen: screen ?? null, scopeId: scopeId ?? null };
  return readKeyPage(db, matchingViews(filter), newestFirst, window, (view) => view);
}

/** @throws {Problem} `not_found`, also for a view of another person */
export async function readView(db: Queryable, caller: Principal, id: string): Promise<SavedView> {
  const [view] = await db.query(getView({ ...ownerOf(caller), id }));
  if (!view) throw notFound('view', id);
  return view;
}

/**
 * Saves a view of the caller or, if it may share, of the tenant.
 *
 * @throws {Problem} `conflict` if there are too many views, `permission_denied`
 */
export async function createView(db: Transactor, caller: Principal, view: NewView): Promise<SavedView> {
  const owner = ownerOf(caller);
  const { visibility, screen, scopeId } = view;
  assertMayShare(caller, visibility);
  return db.transaction(async (tx) => {
    await tx.query(lockViews({ tenantId: owner.tenantId }));
    await assertRoom(tx, owner, visibility);
    if (view.isDefault) await tx.query(endDefault({ ...owner, visibility, screen, scopeId }));
    const [made] = await tx.query(insertView({ ...owner, ...view, settings: JSON.stringify(view.settings) }));
    await recordShared(tx, caller, null, made!);
    return made!;
  });
}

/**
 * Changes a view of the caller or of the tenant.
 *
 * @throws {Problem} `not_found`, `revision_mismatch`, `conflict`; `permission_denied` for one of the tenant
 */
export async function changeView(
  db: Transactor,
  caller: Principal,
  id: string,
  change: ViewChange,
  ifMatch: IfMatch,
): Promise<SavedView> {
  const owner = ownerOf(caller);
  return db.transaction(async (tx) => {
    const before = await lockedView(tx, caller, id, ifMatch);
    const { screen, scopeId, name, visibility, isDefault, settings } = { ...before, ...change };
    assertMayShare(caller, visibility);
    if (visibility !== before.visibility) await assertRoom(tx, owner, visibility);
    const becomesDefault = isDefault && (!before.isDefault || visibility !== before.visibility);
    if (becomesDefault) await tx.query(endDefault({ ...owner, screen, scopeId, visibility }));
    const saved = { id, name, visibility, isDefault, settings: JSON.stringify(settings) };
    const [after] = await tx.query(updateView({ ...owner, ...saved }));
    await recordShared(tx, caller, before, after!);
    return after!;
  });
}

/** @throws {Problem} `not_found`, `revision_mismatch`, `permission_denied` for a view of the tenant */
export async function removeView(
  db: Transactor,
  caller: Principal,
  id: string,
  ifMatch: IfMatch,
): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await lockedView(tx, caller, id, ifMatch);
    await recordShared(tx, caller, before, null);
    await tx.query(deleteView({ ...ownerOf(caller), id }));
  });
}

async function lockedView(tx: Tx, caller: Principal, id: string, ifMatch: IfMatch): Promise<SavedView> {
  await tx.query(lockViews({ tenantId: caller.tenantId }));
  const view = await readView(tx, caller, id);
  assertMayShare(caller, view.visibility);
  assertIfMatch(ifMatch, view.revision);
  return view;
}

function assertMayShare(caller: Principal, visibility: Visibility): void {
  if (visibility === 'tenant') requirePermission(caller, 'Forms.Edit');
}

/**
 * Records a change of a view that everybody in the tenant sees, or saw. The views of one person change
 * nothing for others. Name and settings may name people, so only their digest is recorded.
 */
async function recordShared(
  tx: Tx,
  { tenantId }: Principal,
  before: SavedView | null,
  after: SavedView | null,
): Promise<void> {
  if (before?.visibility !== 'tenant' && after?.visibility !== 'tenant') return;
  const shown = (view: SavedView | null) => {
    if (view === null) return null;
    const { screen, scopeId, visibility, isDefault, name, settings } = view;
    return { screen, scopeId, visibility, isDefault, content: digestOf({ name, settings }) };
  };
  const id = (after ?? before)!.id;
  await recordAudit(tx, { tenantId, object: ['view', id], before: shown(before), after: shown(after) });
}

async function assertRoom(tx: Tx, owner: Owner, visibility: Visibility): Promise<void> {
  const [{ held } = { held: 0 }] = await tx.query(countLimited({ ...owner, visibility }));
  if (held < maxViews[visibility]) return;
  const whose = visibility === 'me' ? 'A person' : 'A tenant';
  throw new Problem('conflict', {
    detail: `${whose} has at most ${maxViews[visibility]} views. Delete one.`,
  });
}
