import type { useListState } from '../list-state';

type ListState = ReturnType<typeof useListState>;

/** The filter of a list of submissions, as the API takes it. */
export interface SubmissionFilter {
  search?: string;
  from?: string;
  to?: string;
  filter?: string[];
}

/** Names of the filters in the URL. */
export const filterNames = ['search', 'status', 'collection', 'test', 'from', 'to', 'deleted'] as const;

/** The filter of the URL. */
export function filterOf(list: ListState): SubmissionFilter {
  const [search, status, collection, test, from, to] = filterNames.map((name) => list.filter(name));
  const filter = [
    ...(status ? [`status:${barsOf(status)}`] : []),
    ...(collection ? [`collectionStatus:${barsOf(collection)}`] : []),
    ...(test ? [`isTestSubmission:${test}`] : []),
    ...list.filters('where'),
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
