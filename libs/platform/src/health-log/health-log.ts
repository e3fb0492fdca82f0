import { every, type Loop } from '@canvass/async';
import type { Database } from '@canvass/postgres';
import type { Logger, ServiceContext } from '@canvass/service-kit';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { forgetOld, markSilent, removeCopy, storeReport } from './health-log.sql';

export interface HealthLogDeps {
  db: Database;
  health: ServiceContext['health'];
  logger: Logger;
  /** The pause between two reports. */
  pauseMs?: number;
}

/**
 * Reports the health of this process to the tables of its service, every ten seconds. `stop` reports that it
 * ends. While the database does not work there is no report, and the process is silent to others.
 */
export function createHealthLog({ db, health, logger, pauseMs = 10_000 }: HealthLogDeps): Loop {
  const copy = `${hostname()}/${randomUUID().slice(0, 8)}`;
  let isStored = false;

  async function report(): Promise<void> {
    isStored = false;
    const { checks } = await health.overall();
    await db.query(markSilent());
    await db.query(
      storeReport({
        copy,
        names: checks.map(({ name }) => name),
        statuses: checks.map(({ status }) => status),
        descriptions: checks.map(({ description }) => description),
        durations: checks.map(({ duration }) => duration),
      }),
    );
    isStored = true;
    await db.query(forgetOld());
  }

  const loop = every(pauseMs, report, {
    atOnce: true,
    onError: (error) => logger.warn({ error }, 'failed to report the health; trying again'),
  });
  return {
    ...loop,
    async stop() {
      await loop.stop();
      // Only if the database worked a moment ago: a shutdown must not wait for one that does not.
      if (isStored)
        await db
          .query(removeCopy({ copy }))
          .catch((error: unknown) => logger.warn({ error }, 'failed to report the end of this process'));
    },
  };
}
