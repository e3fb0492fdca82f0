import { ownProvider, type Principal } from '@canvass/auth';
import { Problem } from '@canvass/errors';
import type { Queryable } from '@canvass/postgres';
import type { IfMatch } from '@canvass/service-kit';
import { ownerOf } from './change-view';
import type { ClientSettings } from './view';
import { findLanguage, getPreferences, savePreferences } from './views.sql';

/** Preferences of a person in the API. */
export interface Preferences {
  settings: ClientSettings;
  /** `0` before the first save. */
  revision: string;
}

export async function readPreferences(db: Queryable, caller: Principal): Promise<Preferences> {
  const [stored] = await db.query(getPreferences(ownerOf(caller)));
  return stored ?? { settings: {}, revision: '0' };
}

/** @throws {Problem} `revision_mismatch` */
export async function replacePreferences(
  db: Queryable,
  caller: Principal,
  settings: ClientSettings,
  ifMatch: IfMatch,
): Promise<Preferences> {
  // A tag that is no revision matches none.
  const expected = ifMatch && ifMatch.filter((tag) => /^\d{1,18}$/.test(tag));
  const text = JSON.stringify(settings);
  const [saved] = await db.query(savePreferences({ ...ownerOf(caller), settings: text, expected }));
  if (!saved) throw new Problem('revision_mismatch');
  return saved;
}

/** The language of `known` that a user prefers, else that of most persons of the tenant; undefined: none. */
export async function preferredLanguage(
  db: Queryable,
  tenantId: string,
  userId: string,
  known: readonly string[],
): Promise<string | undefined> {
  const user = { tenantId, provider: ownProvider, subject: userId };
  return (await db.query(findLanguage({ ...user, known: [...known] })))[0]?.language;
}
