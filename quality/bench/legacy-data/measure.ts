import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@canvass/postgres';
import { externalProvider } from './generate';
import { logLockWaits, positionOf, type LockWaits } from './lock-waits';
import { startWriters, type WriterReport } from './writers';

export interface MeasureOptions {
  /** Pool on a table that `generateLegacyData` made. */
  db: Database;
  databaseUrl: string;
  /** Superuser URL of the same server, and its log. */
  adminUrl: string;
  logFile: string;
  /** main.js of submissions-svc. */
  bundle: string;
  /** Where the backfill writes the rows that remain. */
  reportFile: string;
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
 * Runs the backfill as a process of its own beside writers, kills it (SIGKILL) a third and two thirds of the way, and
 * lets it finish.
 */
export async function measureBackfill(options: MeasureOptions): Promise<BackfillMeasurement> {
  const { db } = options;
  const [{ rows } = { rows: 0 }] = await db.query<{ rows: number }>(
    'select count(*)::int as rows from submissions',
  );
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
  const child = spawn(process.execPath, [bundle, 'backfill', '--report', reportFile], {
    stdio,
    env: { ...process.env, ...settings(databaseUrl) },
  });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  return { kill: (signal: NodeJS.Signals) => child.kill(signal), ended };
}

/** A valid configuration; of all this the backfill uses the database and the provider's name. */
const settings = (databaseUrl: string): NodeJS.ProcessEnv => ({
  Service__Database__Url: databaseUrl,
  Service__Broker__Url: 'amqp://127.0.0.1:1',
  Service__Internal__Secret: randomBytes(32).toString('hex'),
  Service__Encryption__Keys: JSON.stringify([`k1:${randomBytes(32).toString('base64')}`]),
  Service__Auth__Own__Issuer: 'canvass-identity',
  Service__Auth__Own__JwksUri: 'http://127.0.0.1:1/jwks',
  Service__Auth__Providers: JSON.stringify([
    {
      Name: externalProvider,
      Issuer: 'http://127.0.0.1:1',
      Audience: 'canvass-api',
      JwksUri: 'http://127.0.0.1:1/jwks',
      TenantId: '1001',
    },
  ]),
});
