import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { deleteExpiredRefreshTokens } from './refresh-tokens.sql';
import { deleteEndedWindows } from './sign-in-attempts.sql';

const everyMs = 3_600_000;

/** Deletes expired rows once an hour in each replica. The returned function stops it. */
export function startHousekeeping(db: Database, logger: Logger): () => void {
  const timer = setInterval(() => {
    Promise.all([deleteExpiredRefreshTokens(db), deleteEndedWindows(db)]).catch((error: unknown) =>
      logger.warn({ error }, 'failed to delete expired tokens; retrying in an hour'),
    );
  }, everyMs).unref();
  return () => clearInterval(timer);
}
