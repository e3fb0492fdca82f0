import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, type Database } from '@canvass/postgres';
import { externalProvider } from './generate';
import { watchLockWaits } from './lock-waits';
import { startWriters, type WriterReport } from './writers';

/**
 * Measures the backfill on the legacy table of the database at `--database` (made by main.ts), with writers at work:
 * `npx tsx tools/legacy-data/measure.ts <url of the service's role> <bundle of submissions-svc>`. The backfill is a
 * process of its own and is killed twice, a third and two thirds of the way.
 */
async function main(databaseUrl: string | undefined, bundle: string | undefined): Promise<void> {
  if (!databaseUrl || !bundle)
    throw new Error('usage: measure.ts <database url> <dist/apps/submissions-svc/main.js>');
  const db = createDatabase({ Url: databaseUrl, PoolMax: 12, StatementTimeoutMs: 0 });
  const [{ rows } = { rows: 0 }] = await db.query<{ rows: number }>(
    'select count(*)::int as rows from submissions',
  );
  const load = { writers: 4, rows, restMs: 10 };

  const baseline = startWriters(db, load);
  await sleep(20_000);
  tell('Writers alone', await baseline.stop());

  const writers = startWriters(db, load);
  const waits = watchLockWaits(db);
  const started = performance.now();
  const killed: string[] = [];
  for (const share of [1 / 3, 2 / 3]) {
    const child = start(bundle, databaseUrl);
    await progressOf(db, share, rows);
    child.kill('SIGKILL');
    await child.ended;
    const [at] = await db.query<{ at: string }>(
      `select step || ' after ' || examined as at from backfill_progress where finished_at is null order by step limit 1`,
    );
    killed.push(at?.at ?? 'the end');
  }
  const last = start(bundle, databaseUrl, 'inherit');
  const status = await last.ended;
  const seconds = (performance.now() - started) / 1_000;
  const lockWaits = await waits.stop();
  tell('Writers beside the backfill', await writers.stop());
  const [done] = await db.query<{ examined: number; changed: number }>(
    'select sum(examined)::float8 as examined, sum(changed)::float8 as changed from backfill_progress',
  );
  const perSecond = (count: number) => Math.round(count / seconds).toLocaleString('en');
  console.log(`Killed in step ${killed.join(', and in step ')}.`);
  console.log(
    `Backfill: ${seconds.toFixed(1)} s for ${rows} rows through five steps: ${perSecond(rows)} rows/s of the table, ` +
      `${perSecond(done?.examined ?? 0)} rows/s examined, ${perSecond(done?.changed ?? 0)} rows/s changed.`,
  );
  console.log(
    `Waits for its locks: ${lockWaits.waits} seen, the longest ${lockWaits.longestMs.toFixed(0)} ms. Exit status ${status}.`,
  );
  await db.close();
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

function start(bundle: string, databaseUrl: string, stdio: 'ignore' | 'inherit' = 'ignore') {
  const report = path.join(mkdtempSync(path.join(os.tmpdir(), 'backfill-')), 'report.ndjson');
  const child = spawn(process.execPath, [bundle, 'backfill', '--report', report], {
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

function tell(what: string, { updates, creates, perSecond, median, p99, longest }: WriterReport): void {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  console.log(
    `${what}: ${updates} updates and ${creates} creates, ${perSecond.toFixed(0)}/s, ` +
      `median ${ms(median)}, p99 ${ms(p99)}, longest ${ms(longest)}.`,
  );
}

main(process.argv[2], process.argv[3]).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
