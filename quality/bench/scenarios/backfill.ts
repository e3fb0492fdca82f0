import { checkoutDir } from '@canvass/infra';
import { createDatabase } from '@canvass/postgres';
import path from 'node:path';
import type { Scenario } from '../bench';
import { limitRow, row, whole } from '../report';

const usualRows = 1_000_000;
const maxLockWaitMs = 200;

interface Writers {
  perSecond: number;
  median: number;
  p99: number;
  longest: number;
}

/** The result of apps/backfill/measure/measure.ts. */
interface Measurement {
  rows: number;
  alone: Writers;
  beside: Writers;
  seconds: number;
  examined: number;
  changed: number;
  killedAt: string[];
  waits: { waits: number; longestMs: number };
  status: number | null;
}

export const backfill: Scenario = {
  name: 'backfill',
  title: 'Backfill beside writers',
  about:
    'A legacy table of a million submissions without orphans (20 tenants, all cases of the rules) is migrated by the backfill command, a ' +
    'process of its own, while four writers save rows, half of them right where the backfill is. It is killed (`SIGKILL`) a third and two ' +
    'thirds of the way and started again. Postgres waits for the disk and logs every wait for a lock of 10 ms or more with its length; the ' +
    'longest counts, regardless of the lock’s holder.',
  async run(bench) {
    const adminUrl = (await bench.stack()).file.databaseUrl;
    const databaseUrl = await bench.databaseUrlOf('submissions-svc');
    // Generates rows and statistics, which the role of the service may not.
    const db = createDatabase({
      Url: await bench.ownerUrlOf('submissions-svc'),
      PoolMax: 12,
      StatementTimeoutMs: 0,
    });
    bench.atEnd(() => db.close());
    // By path: the fences keep this project and apps from importing each other.
    const { measureBackfill } = (await import(
      path.join(checkoutDir, 'apps/backfill/measure/measure.ts')
    )) as {
      measureBackfill(options: object): Promise<Measurement>;
    };
    const found = await measureBackfill({
      rows: bench.options.rows ?? usualRows,
      db,
      databaseUrl,
      adminUrl,
      logFile: path.join(bench.dir, 'logs/postgres.log'),
      bundle: path.join(checkoutDir, 'dist/apps/backfill/main.js'),
      reportFile: path.join(bench.dir, 'logs/backfill-report.ndjson'),
      say: console.log,
    });
    const { rows, seconds, examined, changed, killedAt, waits, status } = found;
    const perSecond = (count: number) => whole(count / seconds);
    const writers = (what: string, { perSecond: rate, median, p99, longest }: Writers) => [
      what,
      rate.toFixed(0),
      ...[median, p99, longest].map((ms) => ms.toFixed(1)),
    ];
    return {
      findings: [
        limitRow('longest wait for a lock', waits.longestMs, ' ms', { below: maxLockWaitMs }),
        row('verification', status === 0 ? '0 and 0' : `exit status ${status}`, '0 and 0', status === 0),
      ],
      results: [
        ['Writers', 'per second', 'p50 ms', 'p99 ms', 'longest ms'],
        writers('alone', found.alone),
        writers('beside the backfill', found.beside),
      ],
      notes: [
        `${whole(rows)} rows through five steps in ${seconds.toFixed(0)} s with both restarts: ${perSecond(rows)} rows/s of the table, ` +
          `${perSecond(examined)} examined, ${perSecond(changed)} changed per second. Killed in step ${killedAt.join(', and in step ')}. ` +
          `${waits.waits} waits of 10 ms or longer.`,
      ],
      broken: status !== 0,
    };
  },
};
