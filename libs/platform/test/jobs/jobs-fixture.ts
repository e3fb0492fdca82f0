import { auditSchema } from '../../src/audit';
import { createDatabase, migrate, nextIdSchema, schemaMigration, type Database } from '@canvass/postgres';
import { createMetrics, silentLogger, withContext } from '@canvass/service-kit';
import { testDatabase } from '@canvass/testing';
import { createJobWorker, jobsSchema, startJob, type JobRow } from '../../src/jobs';
import type { JobWorkerDeps } from '../../src/jobs/worker';

const migrations = [schemaMigration([nextIdSchema, auditSchema, jobsSchema], 7)];

type Kinds = JobWorkerDeps['kinds'];

export interface JobsFixture {
  db: Database;
  /** Works as a request of a person that is recorded. */
  asCaller<T>(work: () => Promise<T>): Promise<T>;
  start(members?: { tenantId?: string; kind?: string; request?: object; total?: number }): Promise<JobRow>;
  /** A process with these kinds, running until the end of the spec. */
  worker(kinds: Kinds): ReturnType<typeof workerOf>;
  end(): Promise<void>;
}

const caller = { provider: 'Service', kind: 'user', subject: '11' } as const;

function workerOf(db: Database, kinds: Kinds) {
  const metrics = createMetrics('jobs', { processMetrics: false });
  const steps = { committed: 0 };
  const onStep = () => void (steps.committed += 1);
  const loop = createJobWorker({
    db,
    logger: silentLogger,
    metrics,
    kinds,
    revocations: { assertNotRevoked: () => undefined, isCurrent: () => true },
    keptSeconds: 3_600,
    onStep,
  });
  return { ...loop, steps, metrics };
}

/** A database with jobs only, for one spec file. */
export async function jobsFixture(): Promise<JobsFixture> {
  const database = await testDatabase({
    migrations,
    schema: 'worked',
    prepare: async (url) => void (await migrate(url, migrations)),
  });
  const db = createDatabase({ Url: database.url, PoolMax: 6 });
  const workers: ReturnType<typeof workerOf>[] = [];
  const asCaller = <T>(work: () => Promise<T>) =>
    withContext({ requestId: 'r', traceparent: '', actor: caller, action: 'job.cancelled' }, work);
  return {
    db,
    asCaller,
    start: ({ tenantId = '1', kind = 'count', request = {}, total = 3 } = {}) =>
      asCaller(() => startJob(db, { tenantId, kind, request, reason: 'because', total })),
    worker(kinds) {
      const made = workerOf(db, kinds);
      workers.push(made);
      made.start();
      return made;
    },
    async end() {
      await Promise.all(workers.map((each) => each.stop()));
      await db.close();
      await database.drop();
    },
  };
}
