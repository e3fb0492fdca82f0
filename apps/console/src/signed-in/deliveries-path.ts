/** Filters of the deliveries, as the API and the URL of their page name them. */
interface DeliveryFilter {
  status?: readonly string[];
  endpointId?: string;
  from?: string;
  to?: string;
}

/** The path of the page with the deliveries that a filter selects. */
export function deliveriesPath(filter: DeliveryFilter): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filter) as [string, string | readonly string[]][]) {
    for (const own of [value].flat()) search.append(name, own);
  }
  return `/deliveries?${search.toString()}`;
}
