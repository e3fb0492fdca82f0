import type { Beside } from '@canvass/console-ui/grid';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';

/** Rows of a page of a list. */
export const pageSize = 100;

/** Parameters of the URL that are a place in the list: another filter begins at the start. */
const places = ['after', 'before', 'row'];

/** The place in a list, as the API takes it. */
export interface Place {
  after?: string;
  before?: string;
}

/** The field of the search of a list. */
export interface SearchField {
  /** Names the input for screen readers. */
  label: string;
  placeholder: string;
  value: string;
  setValue(value: string): void;
}

export type ListState = ReturnType<typeof useListState>;

/** The state of a list, which is in the URL: reload, back, and the link for a colleague show the same. */
export function useListState() {
  const [search, setSearch] = useSearchParams();
  const after = search.get('after');
  const before = search.get('before');
  const place: Place = {
    ...(after !== null && { after }),
    ...(before !== null && { before }),
  };
  /** Replaces the values of some names. An empty value removes a name. */
  const replace = (
    names: readonly string[],
    values: readonly (readonly [string, string])[],
    isStep = false,
  ) =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        for (const name of names) next.delete(name);
        for (const [name, value] of values) if (value !== '') next.append(name, value);
        return next;
      },
      { replace: isStep },
    );
  /** Sets filters. The list then begins at its first page. */
  const setFilters = (values: Record<string, string>): void =>
    replace([...Object.keys(values), ...places], Object.entries(values));
  return {
    place,
    /** The value of a filter; empty if it is not set. */
    filter: (name: string): string => search.get(name) ?? '',
    /** The values of a filter that may be set several times. */
    filters: (name: string): readonly string[] => search.getAll(name),
    setAll: (name: string, values: readonly string[]): void =>
      replace(
        [name, ...places],
        values.map((value) => [name, value]),
      ),
    /** Clears all filters and the order. The saved view stays the chosen one. */
    clear: (): void =>
      setSearch((current): Record<string, string> => {
        const view = current.get('view');
        return view === null ? {} : { view };
      }),
    /** The field of the search. */
    searchBox: (label: string, placeholder = label): SearchField => ({
      label,
      placeholder,
      value: search.get('search') ?? '',
      setValue: (value) => setFilters({ search: value }),
    }),
    /** The record that is shown beside the list, of which the page of one has the same content. */
    besideOf: (hrefOf: (id: string) => string, content: (id: string) => ReactNode): Beside => ({
      key: search.get('row'),
      hrefOf,
      content,
      // Back leads out of the list, and not through all rows.
      show: (id) => replace(['row'], [['row', id ?? '']], id !== null && search.has('row')),
    }),
    setFilters,
    /** Sets a value that is no filter: the place in the list stays. */
    set: (name: string, value: string): void => replace([name], [[name, value]]),
    goTo: (next: Place): void => replace(['after', 'before'], Object.entries(next) as [string, string][]),
  };
}
