import { readFileSync } from 'node:fs';
import path from 'node:path';

export type Expectation = 'yes' | '401' | '403';

/** One row of the tables in `docs/permissions.md`. */
export interface Route {
  service: string;
  method: string;
  path: string;
  operation: string;
  needs: string;
  /** By the name of the column. */
  expected: ReadonlyMap<string, Expectation>;
}

/**
 * The routes of `docs/permissions.md`. Another test compares the page with the endpoints of the services, so
 * that it has every route and the specs expect what it states.
 */
export function permissionTable(): Route[] {
  const page = readFileSync(path.resolve(__dirname, '../../../docs/permissions.md'), 'utf8');
  let service = '';
  let columns: string[] = [];
  const routes: Route[] = [];
  for (const line of page.split('\n')) {
    service = /^### (\S+)/.exec(line)?.[1] ?? (line.startsWith('## ') ? '' : service);
    const cells = line.startsWith('|')
      ? line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim())
      : [];
    if (service === '' || cells.length < 5 || cells[0]!.startsWith('-')) continue;
    if (cells[0] === 'Method') columns = cells.slice(4);
    else routes.push(routeOf(service, columns, cells));
  }
  return routes;
}

function routeOf(service: string, columns: readonly string[], cells: readonly string[]): Route {
  const [method = '', own = '', operation = '', needs = '', ...expected] = cells;
  return {
    service,
    method,
    path: own.replaceAll('`', ''),
    operation,
    needs: needs.replaceAll('`', ''),
    expected: new Map(columns.map((column, n) => [column, expected[n] as Expectation])),
  };
}
