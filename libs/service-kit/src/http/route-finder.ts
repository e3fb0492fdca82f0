/** Finds the route of a path, given as its raw segments. */
export type RouteFinder<R> = (segments: readonly string[]) => R | undefined;

interface CompiledRoute<R> {
  route: R;
  segments: string[];
  open: boolean;
}

/**
 * Creates the finder for a table. The first route that matches is used. A pattern has literal segments.
 * `:name` is one segment, and `**` at the end is any number of segments. Literals must equal the bytes of
 * the request: `/API/forms` and `/api/%66orms` are other paths. So the gateway and a service use the same
 * route.
 */
export function createRouteFinder<R extends { pattern: string }>(table: readonly R[]): RouteFinder<R> {
  const compiled = table.map((route) => compile(route));
  return (segments) => compiled.find((candidate) => matches(candidate, segments))?.route;
}

function compile<R extends { pattern: string }>(route: R): CompiledRoute<R> {
  const segments = route.pattern.split('/').slice(1);
  const open = segments.at(-1) === '**';
  return { route, segments: open ? segments.slice(0, -1) : segments, open };
}

function matches({ segments, open }: CompiledRoute<unknown>, path: readonly string[]): boolean {
  if (open ? path.length < segments.length : path.length !== segments.length) return false;
  return segments.every((segment, index) => segment.startsWith(':') || segment === path[index]);
}
