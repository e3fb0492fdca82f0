import type { Route } from './route-table';

/** Finds the route of a path, given as its raw segments. */
export type RouteFinder = (segments: readonly string[]) => Route | undefined;

interface CompiledRoute {
  route: Route;
  segments: string[];
  open: boolean;
}

/**
 * Compiles a table. Literals are compared byte for byte with what the client wrote: `/API/forms` and `/api/%66orms`
 * are other paths, so that the gateway and a service never differ about which one was meant.
 */
export function createRouteFinder(table: readonly Route[]): RouteFinder {
  const compiled = table.map(compile);
  return (segments) => compiled.find((candidate) => matches(candidate, segments))?.route;
}

function compile(route: Route): CompiledRoute {
  const segments = route.pattern.split('/').slice(1);
  const open = segments.at(-1) === '**';
  return { route, segments: open ? segments.slice(0, -1) : segments, open };
}

function matches({ segments, open }: CompiledRoute, path: readonly string[]): boolean {
  if (open ? path.length < segments.length : path.length !== segments.length) return false;
  return segments.every((segment, index) => segment.startsWith(':') || segment === path[index]);
}
