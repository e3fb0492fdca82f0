/** The query of the address of deliveries. Several values are separated by commas there. */
export function searchOf(filter: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) {
    if ((value ?? null) !== null && String(value) !== '') search.set(name, String(value));
  }
  return search.toString();
}

/** The path of the page with the deliveries that a filter selects. */
export const deliveriesPath = (filter: object): string => `/deliveries?${searchOf(filter)}`;
