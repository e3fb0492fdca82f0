import path from 'node:path';
import { createDatabase } from '@canvass/postgres';
import { checkoutDir } from '@canvass/infra';
import { generateLegacyData } from '../legacy-data/generate';
import { measureBackfill, type BackfillMeasurement } from '../legacy-data/measure';
import type { WriterReport } from '../legacy-data/writers';
import { postgresLog } from '../bench-run';
import type { Report, Watching } from '../scenario';

const usualRows = 1_000_000;
const longestLockWaitMs = 200;

export const backfill: Watching = {
  name: 'backfill',
  title: 'Backfill beside writers',
  about:
    'A legacy table of a million submissions without orphans (20 tenants, all cases of the rules) is migrated by the backfill command, a process of its own, while four writers save rows, ' +
    'half of them right where the backfill is. It is killed (`SIGKILL`) a third and two thirds of the way and started again. Postgres waits for the disk and logs every wait for a lock of 10 ms or more with its ' +
    'length; the longest wait counts, for every holder of the lock.',
  async watch(run) {
    const rows = run.options.rows ?? usualRows;
    const adminUrl = (await run.stack()).file.databaseUrl;
    const databaseUrl = await run.databaseUrlOf('submissions-svc');
    const db = createDatabase({ Url: databaseUrl, PoolMax: 12, StatementTimeoutMs: 0 });
    try {
      await generateLegacyData(db, { rows, orphansPerMille: 0, jsonBytes: 300, say: run.say });
      const bundle = path.join(checkoutDir, 'dist/apps/submissions-svc/main.js');
      const reportFile = path.join(path.dirname(postgresLog), 'backfill-report.ndjson');
      return reportOf(
        await measureBackfill({ db, databaseUrl, adminUrl, logFile: postgresLog, bundle, reportFile }),
      );
    } finally {
      await db.close();
    }
  },
};

function reportOf(found: BackfillMeasurement): Report {
  const { rows, alone, beside, seconds, examined, changed, killedAt, waits, status } = found;
  const perSecond = (count: number) => Math.round(count / seconds).toLocaleString('en-US');
  const verdict = (met: boolean) => (met ? 'met' : '**missed**');
  const ms = (value: number) => value.toFixed(1);
  const row = (what: string, { perSecond: rate, median, p99, longest }: WriterReport) => [
    what,
    rate.toFixed(0),
    ...[median, p99, longest].map(ms),
  ];
  return {
    ratios: [
      ['', 'Found', 'Target', ''],
      [
        'longest wait for a lock',
        `${ms(waits.longestMs)} ms`,
        `< ${longestLockWaitMs} ms`,
        verdict(waits.longestMs < longestLockWaitMs),
      ],
      ['verification', status === 0 ? '0 and 0' : `exit status ${status}`, '0 and 0', verdict(status === 0)],
    ],
    results: [
      ['Writers', 'per second', 'p50 ms', 'p99 ms', 'longest ms'],
      row('alone', alone),
      row('beside the backfill', beside),
    ],
    processes: [[]],
    notes: [
      `${rows.toLocaleString('en-US')} rows through five steps in ${seconds.toFixed(0)} s with both restarts: ${perSecond(rows)} rows/s of the table, ` +
        `${perSecond(examined)} examined, ${perSecond(changed)} changed per second. Killed in step ${killedAt.join(', and in step ')}. ` +
        `${waits.waits} waits of 10 ms or longer.`,
    ],
    broken: status !== 0,
  };
}
