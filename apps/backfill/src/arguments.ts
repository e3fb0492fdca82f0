import { parseArgs } from 'node:util';

export interface BackfillArguments {
  dryRun: boolean;
  /** File for the remaining rows; null means standard output. */
  report: string | null;
  /** Providers in addition to the configured providers. */
  externalProviders: string[];
  pauseMs: number;
  patienceMs: number;
  help: boolean;
}

export const usage = `Links legacy submissions to their submitters and brings their keys into the current shape.

  node dist/apps/backfill/main.js [options]

  --dry-run                   report what would be done; write nothing
  --report <file>             write the rows that remain there, as NDJSON; else to standard output
  --external-provider <name>  AuthProvider of external identities, besides those of Service:Auth:Providers; repeatable
  --pause-ms <n>              rest between two batches, 0 to 60000 (default 0)
  --patience-s <n>            wait for rows that another session holds locked, 1 to 3600 seconds (default 60)
  --config <file>             configuration file, as for submissions-svc

Exit status: 0 both verification counts are 0; 1 rows remain; 2 it could not be done; 130 it was interrupted.
If it is interrupted or killed, run it again: it continues where it stopped.`;

/** @throws Error with a message for the operator */
export function parseBackfillArguments(argv: readonly string[]): BackfillArguments {
  const { values } = parseArgs({
    args: [...argv],
    allowPositionals: false,
    options: {
      'dry-run': { type: 'boolean', default: false },
      report: { type: 'string' },
      'external-provider': { type: 'string', multiple: true, default: [] },
      'pause-ms': { type: 'string', default: '0' },
      'patience-s': { type: 'string', default: '60' },
      config: { type: 'string' },
      'print-config': { type: 'boolean' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  return {
    dryRun: values['dry-run'],
    report: values.report ?? null,
    externalProviders: values['external-provider'],
    pauseMs: integer('--pause-ms', values['pause-ms'], 0, 60_000),
    patienceMs: 1_000 * integer('--patience-s', values['patience-s'], 1, 3_600),
    help: values.help,
  };
}

function integer(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max)) throw new Error(`${name} must be ${min} to ${max}, not "${text}".`);
  return value;
}
