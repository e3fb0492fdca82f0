/** Parameters of the URL that are a place in the list, or the view itself. */
const places = ['after', 'before', 'row', 'view'];

/** Filters and order of a URL, in the same notation for the same ones. */
export function queryOf(search: URLSearchParams): string {
  const kept = new URLSearchParams(search);
  for (const name of places) kept.delete(name);
  kept.sort();
  return kept.toString();
}
