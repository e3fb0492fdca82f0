/** Filters of the deliveries, as the URL of their page names them. */
interface DeliveryFilter {
  status?: readonly string[];
  endpointId?: string;
  from?: string;
  to?: string;
}

/**
 * The path of the page with the deliveries that a filter selects. Several values are separated by commas
 * there.
 */
export function deliveriesPath(filter: DeliveryFilter): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filter) as [string, string | readonly string[]][])
    search.set(name, [value].flat().join(','));
  return `/deliveries?${search.toString()}`;
}
