import type { Endpoint } from './endpoint';

/**
 * The endpoints of each path. Fixed segments come before parameters, so that a method that `…/export` does
 * not have is not taken for one of `…/:id`.
 */
export function endpointsByPath(endpoints: readonly Endpoint[]): Endpoint[][] {
  const groups = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    // `~` is behind every character of a fixed segment.
    const key = endpoint.path.replaceAll(/:\w+/g, '~');
    groups.set(key, [...(groups.get(key) ?? []), endpoint]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}
