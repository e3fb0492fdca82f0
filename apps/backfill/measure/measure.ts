import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@canvass/postgres';
import { externalProvider, generateLegacyData } from './generate';
import { logLockWaits, positionOf, type LockWaits } from './lock-waits';
import { startWriters, type WriterReport } from './writers';

export interface MeasureOptions {
  /** Pool on an empty schema of submissions-svc. */
  db: Database;
  /** Submissions to generate. */
  rows: number;
  databaseUrl: string;
  /** Superuser URL of the same server, and its log. */
  adminUrl: string;
  logFile: string;
  /** main.js of the backfill. */
  bundle: string;
  /** Where the backfill writes the rows that remain. */
  reportFile: string;
  say(line: string): void;
}

export interface BackfillMeasurement {
  rows: number;
  alone: WriterReport;
  beside: WriterReport;
  /** Both kills and restarts included. */
  seconds: number;
  examined: number;
  changed: number;
  /** Where it was when it was killed. */
  killedAt: string[];
  waits: LockWaits;
  /** 0: both verification counts are 0. */
  status: number | null;
}

const aloneMs = 20_000;

/**
 * Generates a legacy table, runs the backfill as a process of its own beside writers, kills it (SIGKILL) a
 * third and two thirds of the way, and lets it finish.
 */
export async function measureBackfill(options: MeasureOptions): Promise<BackfillMeasurement> {
  const { db, rows, say } = options;
  await generateLegacyData(db, { rows, orphansPerMille: 0, jsonBytes: 300, say });
  const load = { writers: 4, rows, restMs: 10 };
  const baseline = startWriters(db, load);
  await sleep(aloneMs);
  const alone = await baseline.stop();

  const writers = startWriters(db, load);
  const log = await logLockWaits(options.adminUrl, options.logFile);
  const started = performance.now();
  const killedAt: string[] = [];
  for (const share of [1 / 3, 2 / 3]) {
    const child = start(options);
    await progressOf(db, share, rows);
    child.kill('SIGKILL');
    await child.ended;
    killedAt.push(await positionOf(db));
  }
  const status = await start(options, 'inherit').ended;
  const seconds = (performance.now() - started) / 1_000;
  const waits = await log.stop();
  const beside = await writers.stop();
  const [done] = await db.query<{ examined: number; changed: number }>(
    'select sum(examined)::float8 as examined, sum(changed)::float8 as changed from backfill_progress',
  );
  return { rows, alone, beside, seconds, ...(done ?? { examined: 0, changed: 0 }), killedAt, waits, status };
}

/** Resolves when that share of all steps is done. */
async function progressOf(db: Database, share: number, rows: number): Promise<void> {
  for (;;) {
    const [now] = await db.query<{ share: number | null }>(
      'select sum(examined)::float8 / $1 as share from backfill_progress',
      [rows * 5],
    );
    if ((now?.share ?? 0) >= share) return;
    await sleep(50);
  }
}

function start({ bundle, databaseUrl, reportFile }: MeasureOptions, stdio: 'ignore' | 'inherit' = 'ignore') {
  const child = spawn(process.execPath, [bundle, '--report', reportFile], {
    stdio,
    env: settings(databaseUrl),
  });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  return { kill: (signal: NodeJS.Signals) => child.kill(signal), ended };
}

const settings = (databaseUrl: string): NodeJS.ProcessEnv => ({
  Service__Database__Url: databaseUrl,
  Service__Auth__Providers: JSON.stringify([{ Name: externalProvider }]),
});
