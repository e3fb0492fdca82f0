import { parseArgs } from 'node:util';
import { createDatabase } from '@canvass/postgres';
import { generateLegacyData } from './generate';

const usage = `Fills the schema of submissions-svc with a table of legacy submissions, for trying the backfill.

  npx tsx quality/bench/legacy-data/main.ts --database <url of the service's role> [--rows 1000000] [--orphans 20] [--json-bytes 300]

  --orphans     of a thousand submissions, how many cannot be migrated; 0 for none
  --json-bytes  length of the answers of a submission

The schema must be migrated and hold no submissions.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      database: { type: 'string' },
      rows: { type: 'string', default: '1000000' },
      orphans: { type: 'string', default: '20' },
      'json-bytes': { type: 'string', default: '300' },
    },
  });
  if (values.database === undefined) throw new Error(usage);
  const db = createDatabase({ Url: values.database, PoolMax: 1, StatementTimeoutMs: 0 });
  try {
    await generateLegacyData(db, {
      rows: count('--rows', values.rows, 100_000_000),
      orphansPerMille: count('--orphans', values.orphans, 1_000),
      jsonBytes: count('--json-bytes', values['json-bytes'], 1_000_000),
      say: (line) => console.log(line),
    });
  } finally {
    await db.close();
  }
}

function count(name: string, text: string, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(value <= most)) throw new Error(`${name} must be 0 to ${most}, not "${text}".`);
  return value;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
