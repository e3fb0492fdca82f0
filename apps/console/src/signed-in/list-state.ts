import { useSearchParams } from 'wouter';

/** Rows of a page of a list. */
export const pageSize = 100;

/** The place in a list that is paged by key, as the API takes it. */
export interface Place {
  after?: string;
  before?: string;
}

/** The state of a list, which is in the URL: reload, back, and the link for a colleague show the same. */
export function useListState() {
  const [search, setSearch] = useSearchParams();
  const after = search.get('after');
  const before = search.get('before');
  const place: Place = { ...(after !== null && { after }), ...(before !== null && { before }) };
  return {
    place,
    /** The value of a filter; empty if it is not set. */
    filter: (name: string): string => search.get(name) ?? '',
    /** Sets filters. The list then begins at its first page. */
    setFilters(values: Record<string, string>): void {
      setSearch((current) => {
        const next = new URLSearchParams(current);
        for (const name of ['after', 'before']) next.delete(name);
        for (const [name, value] of Object.entries(values)) {
          if (value === '') next.delete(name);
          else next.set(name, value);
        }
        return next;
      });
    },
    goTo({ after: next, before: previous }: Place): void {
      setSearch((current) => {
        const changed = new URLSearchParams(current);
        for (const name of ['after', 'before']) changed.delete(name);
        if (next !== undefined) changed.set('after', next);
        if (previous !== undefined) changed.set('before', previous);
        return changed;
      });
    },
  };
}
