import type { useListState } from '../list-state';
import { isFilter, type Asked } from './asked';

type ListState = ReturnType<typeof useListState>;

/** The filter of a list of submissions, as the API takes it. */
export interface SubmissionFilter {
  search?: string;
  from?: string;
  to?: string;
  filter?: string[];
}

/** Names of the filters in the URL. */
const filterNames = ['search', 'status', 'collection', 'test', 'from', 'to', 'deleted'] as const;

/** The filter of the URL. Texts that are no filter are left out: the page asks what they mean. */
export function filterOf(list: ListState, asked: readonly Asked[]): SubmissionFilter {
  const [search, status, collection, test, from, to] = filterNames.map((name) => list.filter(name));
  const filter = [
    ...(status ? [`status:${barsOf(status)}`] : []),
    ...(collection ? [`collectionStatus:${barsOf(collection)}`] : []),
    ...(test ? [`isTestSubmission:${test}`] : []),
    ...list.filters('where').filter((text) => isFilter(text, asked)),
  ];
  return {
    ...(search && { search }),
    ...(from && { from }),
    ...(to && { to }),
    ...(filter.length > 0 && { filter }),
  };
}

/** Values of which one must hold have commas in the URL and bars in the API. */
const barsOf = (values: string): string => values.replaceAll(',', '|');
