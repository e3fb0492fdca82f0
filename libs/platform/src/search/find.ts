import { readBounded, type BoundStatement, type Transactor } from '@canvass/postgres';
import type { Found, FoundKind } from './found';

/** The terms that a source searches for in one tenant. */
export interface SearchRequest {
  tenantId: string;
  /** Text within names. */
  text: string;
  /** The text as an id; null if it is not one. */
  id: string | null;
  /** The forms that the results belong to; null: all. */
  formIds: string[] | null;
  limit: number;
}

type FoundRow = Omit<Found, 'kind'>;

/** The statement for each kind of things that a service has. */
export type SearchSources = Partial<Record<FoundKind, (asked: SearchRequest) => BoundStatement<FoundRow>>>;

/**
 * Finds what these kinds have with that id or name, at most `limit` of each. The statements are not prepared,
 * so that an index serves the search in names.
 *
 * @throws {Problem} `query_too_broad` after 5 s
 */
export async function findIn(
  db: Transactor,
  sources: SearchSources,
  kinds: readonly FoundKind[],
  asked: SearchRequest,
): Promise<Found[]> {
  return readBounded(db, 'Search for a longer text.', async (tx) => {
    const found: Found[] = [];
    for (const kind of kinds) {
      const source = sources[kind]?.(asked);
      if (source === undefined) continue;
      const rows = await tx.query<FoundRow>(source.text, source.values);
      found.push(...rows.map((row) => ({ ...row, kind })));
    }
    return found;
  });
}
