import { setTimeout as sleep } from 'node:timers/promises';
import {
  assertServerVersion,
  connectionFault,
  createDatabase,
  sqlState,
  type BoundStatement,
  type Database,
} from '@canvass/postgres';
import {
  beginRun,
  countRows,
  forgetFinishedRun,
  readProgress,
  sessionSettings,
  tryLock,
  type StepProgress,
} from './progress.sql';
import { runStep, type Session, type StepOptions } from './run-step';

export interface BackfillOptions extends StepOptions {
  databaseUrl: string;
  /** Called with the number of submissions and the start of each step; repeated after a lost connection. */
  onStart(rows: number, steps: readonly StepProgress[]): void;
  onWarning(message: string): void;
}

/**
 * Maximum duration of a statement that locks rows, so that other sessions wait no longer for them. Locks of
 * foreign keys or unique indexes have a shorter timeout.
 */
const timeouts = { statementMs: 100, lockMs: 50 };
const lockWaitMs = 5_000;
const maxReconnections = 20;

/** Another run holds the lock of this schema. */
class AlreadyRunningError extends Error {}

/**
 * Runs steps A–E one after the other. It may be stopped or killed at any point: the next run continues after
 * the last committed batch. After a complete run the next one starts again and finds rows written since.
 *
 * @throws AlreadyRunningError, and the reason of `signal` after the current batch
 */
export async function runBackfill(options: BackfillOptions): Promise<void> {
  const db = createDatabase(
    { Url: options.databaseUrl, PoolMax: 2, StatementTimeoutMs: 0 },
    { applicationName: 'backfill' },
  );
  try {
    for (let lost = 0; ; lost += 1) {
      try {
        return await db.withClient(async (client) => {
          await assertServerVersion(client);
          const session = {
            query: async <R>(sql: BoundStatement<R> | string) =>
              (await client.query(asQuery(sql))).rows as R[],
          };
          await runSteps(db, session, options);
        });
      } catch (error) {
        if (!isLost(error) || lost === maxReconnections) throw error;
        options.onWarning(
          `The connection to the database was lost (${(error as Error).message}). Continuing.`,
        );
        await sleep(Math.min(200 * 2 ** lost, 5_000), undefined, { signal: options.signal });
      }
    }
  } finally {
    await db.close();
  }
}

async function runSteps(db: Database, session: Session, options: BackfillOptions): Promise<void> {
  await lock(session);
  await db.transaction(async (tx) => {
    await tx.query(forgetFinishedRun);
    await tx.query(beginRun);
  });
  const [count] = await db.query(countRows());
  const steps = await db.query(readProgress());
  options.onStart(count?.rows ?? 0, steps);
  await session.query(sessionSettings(timeouts));
  for (const progress of steps) if (!progress.finished) await runStep(session, progress, options);
}

/** The session of a killed run ends within moments. */
async function lock(session: Session): Promise<void> {
  for (const started = performance.now(); ;) {
    const [row] = await session.query<{ locked: boolean }>(tryLock);
    if (row?.locked) return;
    if (performance.now() - started > lockWaitMs)
      throw new AlreadyRunningError('Another backfill is running on this database.');
    await sleep(200);
  }
}

const asQuery = (sql: BoundStatement<unknown> | string) =>
  typeof sql === 'string' ? { text: sql } : { ...sql, values: [...sql.values] };

/** Returns whether the server ended the session or is unavailable. */
const isLost = (error: unknown): boolean => connectionFault(error) || /^(08|57P)/.test(sqlState(error) ?? '');
