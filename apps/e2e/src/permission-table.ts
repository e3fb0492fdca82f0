import { readFileSync } from 'node:fs';
import path from 'node:path';

export type Expectation = 'yes' | '401' | '403';

/** A route and what each caller is answered. */
export interface Route {
  service: string;
  method: string;
  path: string;
  operation: string;
  needs: string;
  /** The action in the audit trail, or null. */
  recorded: string | null;
  /** Expectations by caller. */
  expected: Readonly<Record<string, Expectation>>;
}

/** The table that `docs/permissions.md` shows; `npx nx run build:openapi` writes it. */
export function permissionTable(): Route[] {
  const file = path.resolve(__dirname, '../../../dist/openapi/permissions.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Route[];
}
