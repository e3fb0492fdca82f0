import { auditClientRequestMigration, auditMigration } from '@canvass/audit';
import { createDatabase, migrate, nextIdMigration, type Database } from '@canvass/postgres';
import { createMetrics, silentLogger, withContext } from '@canvass/service-kit';
import { testDatabase } from '@canvass/testing';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createJobWorker, jobsMigration, jobStartersMigration, startJob, type JobRow } from '../src';
import type { JobWorkerDeps } from '../src/worker';

const migrations = [
  nextIdMigration('0001_next_id', 7),
  auditMigration('0002_audit'),
  auditClientRequestMigration('0002_audit_client_request'),
  jobsMigration('0003_jobs'),
  jobStartersMigration('0004_job_starters'),
];

type Kinds = JobWorkerDeps['kinds'];

export interface JobsFixture {
  db: Database;
  /** As a request of a person that is recorded. */
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
    template: readFileSync(path.join(__dirname, '../src/migration.ts'), 'utf8'),
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
