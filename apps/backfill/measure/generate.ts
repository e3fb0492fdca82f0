import type { Database } from '@canvass/postgres';
import { formsSql, submittersSql, submissionsSql, shape } from './legacy-rows.sql';

export interface LegacyDataOptions {
  /** Submissions to make. */
  rows: number;
  /**
   * Of a thousand submissions, how many cannot be migrated; 0 makes a table that ends with both counts 0.
   */
  orphansPerMille: number;
  /** Length of jsonData, about. */
  jsonBytes: number;
  say(line: string): void;
}

/** AuthProvider of the external identities in the data. */
export const externalProvider = 'Keycloak';

const chunk = 100_000;
const number = new Intl.NumberFormat('en');

/**
 * Fills an empty `submissions` schema with a legacy table as years of use leave it: the same numbers give
 * the same rows. Tenants, forms and submitters grow with the number of rows, so that each respondent
 * answers each form of the tenant once.
 */
export async function generateLegacyData(db: Database, options: LegacyDataOptions): Promise<void> {
  const { rows, orphansPerMille, jsonBytes, say } = options;
  const [found] = await db.query<{ any: boolean }>('select exists (select from submissions) as any');
  if (found?.any) throw new Error('There are submissions already; give it a database of its own.');
  const started = performance.now();
  const people = Math.max(1, Math.ceil(rows / (shape.tenants * shape.formsPerTenant)));
  await db.query(formsSql);
  await db.query(submittersSql, [people]);
  await db.query('analyze submitters');
  for (let from = 0; from < rows; from += chunk) {
    const upto = Math.min(rows, from + chunk);
    await db.query(submissionsSql, [from, upto, orphansPerMille, jsonBytes]);
    say(`${number.format(upto)} submissions after ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  }
  await db.query('analyze submissions');
}
