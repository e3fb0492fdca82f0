import { createRouteFinder, readTarget, type Target } from '@canvass/service-kit';
import { serviceNames } from '../config';
import { routeTable, type Route } from './route-table';

const find = createRouteFinder(routeTable);
const routeOf = (path: string) => find((readTarget(path) as Target).segments);

/** Paths that a pattern stands for: for an open one, itself without the tail, and with more behind it. */
function examples({ pattern }: Route): string[] {
  const path = pattern.replace(/:[A-Za-z]+/g, '7');
  return path.endsWith('/**')
    ? [path.slice(0, -3), path.replace('**', 'x'), path.replace('**', 'x/y/z')]
    : [path];
}

describe('the route table', () => {
  it.each(routeTable.map((route) => [route.pattern, route] as const))(
    '%s is not hidden by an earlier one',
    (_, route) => {
      for (const path of examples(route)) expect(routeOf(path)).toBe(route);
    },
  );

  it('has paths of every service and nothing that is internal', () => {
    expect(new Set(routeTable.map(({ service }) => service))).toEqual(new Set(serviceNames));
    for (const { pattern } of routeTable) {
      expect(pattern).toMatch(/^\/(api|forms\/:formId\/submissions\/onbehalf$|\.well-known)/);
      // `/api/operations/health` is the record of all copies, for administrators.
      expect(pattern).not.toMatch(/internal|metrics|(?<!\/operations\/)health|alive|ready/);
    }
  });

  it('keeps the data lists of a public form apart from the form', () => {
    expect(routeOf('/api/public/forms/1/data-lists/2/display-values')?.service).toBe('DataLists');
    expect(routeOf('/api/public/forms/1/access-tokens')?.service).toBe('Submissions');
  });

  it.each(['import', 'export', 'locales/nl', 'default-locale'])(
    'waits long for %s, work over a whole list',
    (what) => {
      expect(routeOf(`/api/data-lists/1/${what}`)?.timeoutMs).toBe(900_000);
    },
  );

  it('gives imports room for a gigabyte of rows, and little to logins', () => {
    for (const path of ['import', 'imports', 'import-preview'])
      expect(routeOf(`/api/data-lists/1/${path}`)?.bodyLimit).toEqual({
        json: 64 * 2 ** 20,
        rows: 2 ** 30,
      });
    expect(routeOf('/api/auth/login')?.bodyLimit.json).toBe(64 * 2 ** 10);
  });

  it.each([
    '/api/forms/1/submissions',
    '/api/forms/1/submissions/onbehalf',
    '/forms/1/submissions/onbehalf',
    '/api/forms/1/submissions/2',
    '/api/forms/1/submissions/by-token/x',
  ])('leaves the size of answers at %s to the service', (path) => {
    expect(routeOf(path)?.bodyLimit.json).toBe(32 * 2 ** 20);
  });

  it.each([
    '/',
    '/api',
    '/forms',
    '/forms/1',
    '/forms/1/submissions',
    '/api/formsx',
    '/apix/forms',
    '/.well-known/x',
  ])('does not know %s', (path) => {
    expect(find(path.split('/').slice(1))).toBeUndefined();
  });
});
