import { every, type Loop } from '@canvass/async';
import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { deleteLeftPeople, deleteUnusedParts } from './exports.sql';

const everyMs = 20_000;
/** A part has some megabytes. */
const partsAtOnce = 20;
const peopleAtOnce = 10_000;

/**
 * Deletes the files of exports that expired, failed or were cancelled, and people of invitations that ended,
 * within half a minute.
 */
export const createExportExpiry = (db: Database, logger: Logger): Loop =>
  every(
    everyMs,
    async (signal) => {
      let deleted = partsAtOnce;
      while (deleted === partsAtOnce && !signal.aborted)
        deleted = (await db.query(deleteUnusedParts({ rows: partsAtOnce }))).length;
      await db.query(deleteLeftPeople({ rows: peopleAtOnce }));
    },
    {
      atOnce: true,
      onError: (error) => logger.warn({ error }, 'failed to delete expired exports; trying again'),
    },
  );
