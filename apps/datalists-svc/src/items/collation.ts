import type { Queryable } from '@canvass/postgres';
import { defaultKey, type LocaleCatalog } from '../catalog';

/** Returns the name of the Postgres collation for the labels of a key. */
export type Collations = (list: LocaleCatalog, key: string) => Promise<string>;

const icu = `select collname as name from pg_collation
  where collprovider = 'i' and collnamespace = 'pg_catalog'::regnamespace and collname like '%-x-icu'`;
const suffix = '-x-icu';

/**
 * The ICU collations of Postgres by culture key. `nl-be` sorts by `nl-BE-x-icu`, an unknown region by its
 * language, an unknown language by the root collation. A Postgres without ICU sorts by code point.
 */
export function createCollations(db: Queryable): Collations {
  let known: Promise<ReadonlyMap<string, string>> | null = null;

  async function load(): Promise<ReadonlyMap<string, string>> {
    const rows = await db.query<{ name: string }>(icu);
    return new Map(rows.map(({ name }) => [name.slice(0, -suffix.length).toLowerCase(), name]));
  }

  return async (list, key) => {
    known ??= load().catch((error: unknown) => {
      known = null;
      throw error;
    });
    const names = await known;
    const parts = (key === defaultKey ? list.defaultLocale : key).split('-');
    for (let length = parts.length; length > 0; length--) {
      const name = names.get(parts.slice(0, length).join('-'));
      if (name !== undefined) return name;
    }
    return names.get('und') ?? 'C';
  };
}
