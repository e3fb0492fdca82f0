import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { asOperator, noTenant, recordAudit } from '@canvass/audit';
import { createDatabase, sqlState } from '@canvass/postgres';
import { parseBackfillArguments, usage, type BackfillArguments } from './arguments';
import { dryRun } from './dry-run';
import { ProgressDisplay, type Screen } from './progress-display';
import { runBackfill } from './run-backfill';
import { stepNames } from './steps.sql';
import { verify, type Verification } from './verify';

export interface CommandSurroundings {
  databaseUrl: string;
  /** Names of the configured external providers. */
  externalProviders: readonly string[];
  /** Target of the report, unless a file is named. */
  output: Writable;
  screen: Screen;
  /** Requests a stop between two batches. */
  signal: AbortSignal;
}

/** Runs `backfill` on the command line. @returns the exit status, see `usage` */
export async function backfillCommand(argv: readonly string[], around: CommandSurroundings): Promise<number> {
  const display = new ProgressDisplay(around.screen);
  try {
    const wanted = parseBackfillArguments(argv);
    if (wanted.help) {
      around.output.write(`${usage}\n`);
      return 0;
    }
    const providers = [...new Set([...around.externalProviders, ...wanted.externalProviders])];
    if (providers.length === 0)
      display.say(
        'No external provider is configured, so step C links nothing. Name one with --external-provider.',
      );
    const verification = await withReport(wanted.report, around.output, (write) =>
      (wanted.dryRun ? forecast : migrate)(
        { ...around, externalProviders: providers },
        wanted,
        display,
        write,
      ),
    );
    const { unlinked, legacyKeys } = verification;
    display.say(
      `${wanted.dryRun ? 'Verification would be' : 'Verification'}: ${unlinked} rows without a submitter, ` +
        `${legacyKeys} keys of the legacy shape.`,
    );
    return unlinked === 0 && legacyKeys === 0 ? 0 : 1;
  } catch (error) {
    if (around.signal.aborted) {
      display.say('Interrupted. Run it again to continue from here.');
      return 130;
    }
    display.say(`The backfill stopped: ${reasonOf(error)}`);
    return 2;
  }
}

type Write = (entry: object) => Promise<void>;
type Part = (
  around: CommandSurroundings,
  wanted: BackfillArguments,
  display: ProgressDisplay,
  write: Write,
) => Promise<Verification>;

const migrate: Part = async (around, { pauseMs, patienceMs }, display, write) => {
  await record(around);
  let total = 0;
  await runBackfill({
    ...around,
    pauseMs,
    patienceMs,
    onStart(rows, steps) {
      total = rows;
      const at = steps.find(({ finished }) => !finished);
      const isResumed = steps.some(({ finished, examined }) => finished || examined > 0);
      display.say(
        isResumed && at
          ? `Continuing in step ${at.step} after ${at.examined} of ${rows} rows.`
          : `${rows} submissions, from the beginning.`,
      );
    },
    onProgress: (step, examined, changed) => display.update(step, total, examined, changed),
    onWarning: (message) => display.say(message),
  });
  display.end();
  const db = createDatabase({ Url: around.databaseUrl, PoolMax: 1 }, { applicationName: 'backfill' });
  try {
    const verification = await verify(db, around.externalProviders, write);
    await write({ kind: 'verification', ...verification });
    return verification;
  } finally {
    await db.close();
  }
};

/** Records the run in the audit trail before it begins. */
async function record({ databaseUrl, externalProviders }: CommandSurroundings): Promise<void> {
  const db = createDatabase({ Url: databaseUrl, PoolMax: 1 }, { applicationName: 'backfill' });
  try {
    await asOperator('backfill', () =>
      recordAudit(db, { tenantId: noTenant, object: ['operation', null], after: { externalProviders } }),
    );
  } finally {
    await db.close();
  }
}

const forecast: Part = async ({ databaseUrl, externalProviders }, _wanted, display, write) => {
  const db = createDatabase(
    { Url: databaseUrl, PoolMax: 1, StatementTimeoutMs: 0 },
    { applicationName: 'backfill' },
  );
  try {
    const { changes, verification } = await dryRun(db, externalProviders, write, (rows) =>
      display.update('dry run', rows, rows, null),
    );
    const words = stepNames.map((step) => `${step} ${changes[step]}`).join(', ');
    display.say(`Dry run, nothing was written. Rows that each step would change: ${words}.`);
    await write({ kind: 'dry_run', changes, ...verification });
    return verification;
  } finally {
    await db.close();
  }
};

/** Writes one JSON text per line to the file or the output, and waits for it to drain. */
async function withReport<T>(
  file: string | null,
  output: Writable,
  work: (write: Write) => Promise<T>,
): Promise<T> {
  const target = file === null ? output : createWriteStream(file);
  if (target !== output) await once(target, 'open');
  try {
    return await work(async (entry) => {
      if (!target.write(`${JSON.stringify(entry)}\n`)) await once(target, 'drain');
    });
  } finally {
    if (target !== output) {
      target.end();
      await finished(target);
    }
  }
}

function reasonOf(error: unknown): string {
  if (sqlState(error) === '42P01')
    return 'The schema is not migrated. Start submissions-svc of this version once, or let it migrate.';
  return error instanceof Error ? error.message : String(error);
}
