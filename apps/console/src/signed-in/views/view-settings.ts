import { isSameLayout, layoutOf, type GridLayout } from '@canvass/console-ui/layout';
import { membersOf } from '../../json-object';

/** The members that a saved view of a list keeps. */
export interface ViewSettings {
  layout: GridLayout;
  /** Filters and order, as in the URL. */
  query: string;
}

/** Parameters of the URL that are a place in the list, or the view itself. */
const places = ['after', 'before', 'row', 'view'];

/** Filters and order of a URL, in the same notation for the same ones. */
export function queryOf(search: URLSearchParams): string {
  const kept = new URLSearchParams(search);
  for (const name of places) kept.delete(name);
  kept.sort();
  return kept.toString();
}

/** The settings of a view of the API. Members of another shape, also of another version, are ignored. */
export function settingsOf(stored: unknown): ViewSettings {
  const { layout, query } = membersOf(stored);
  return {
    layout: layoutOf(layout),
    query: typeof query === 'string' ? queryOf(new URLSearchParams(query)) : '',
  };
}

/** Returns whether two views show the same. */
export const isSameView = (one: ViewSettings, other: ViewSettings): boolean =>
  one.query === other.query && isSameLayout(one.layout, other.layout);
