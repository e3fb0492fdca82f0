/** A peer: graphile-worker with the settings its documentation gives for throughput, running jobs that do nothing. */
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';
import { serveApi } from '../child';
import { eventData } from '../outbox-event';

const logger = new Logger(() => () => undefined);
const concurrentJobs = 24;

let pool: pg.Pool;

const api = {
  async start(databaseUrl: string): Promise<void> {
    pool = new pg.Pool({ connectionString: databaseUrl, max: concurrentJobs + 2 });
    pool.on('error', console.error);
    pool.on('connect', (client) => client.on('error', console.error));
    const utils = await makeWorkerUtils({ pgPool: pool, logger });
    await utils.migrate();
    await utils.release();
  },

  async fill(jobs: number): Promise<void> {
    await pool.query(
      `select count(*) from graphile_worker.add_jobs(array(
         select json_populate_record(null::graphile_worker.job_spec,
           json_build_object('identifier', 'nothing', 'payload', $2::json)) from generate_series(1, $1::int)))`,
      [jobs, eventData],
    );
  },

  /** Runs that many jobs that are already there; gives the seconds until the last is completed in the database. */
  async drain(jobs: number): Promise<number> {
    let open = jobs;
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const started = performance.now();
    const runner = await run({
      pgPool: pool,
      logger,
      noHandleSignals: true,
      parsedCronItems: [],
      taskList: {
        nothing: () => {
          if (--open === 0) finish();
        },
      },
      preset: {
        worker: { concurrentJobs, localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
      },
    });
    await finished;
    await runner.stop();
    const seconds = (performance.now() - started) / 1000;
    const { rows } = await pool.query<{ left: string }>(
      'select count(*) as left from graphile_worker._private_jobs',
    );
    if (rows[0]?.left !== '0') throw new Error(`${rows[0]?.left} jobs were left`);
    return seconds;
  },
};

export type GraphileWorkerApi = typeof api;

serveApi(api);
