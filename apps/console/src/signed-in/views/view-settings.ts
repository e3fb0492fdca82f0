import { isSameLayout, layoutOf, type GridLayout } from '@canvass/console-ui/layout';
import { membersOf } from '../../json-object';
import { queryOf } from './view-query';

/** The members that a saved view of a list keeps. */
export interface ViewSettings {
  layout: GridLayout;
  /** Filters and order, as in the URL. */
  query: string;
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
