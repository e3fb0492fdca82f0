import { every, type Loop } from '@canvass/async';
import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { deleteExpiredRevocations } from '../revocations';
import { deleteExpiredRefreshTokens } from './refresh-tokens.sql';
import { deleteEndedWindows } from './sign-in-attempts.sql';

const everyMs = 3_600_000;

/** Deletes expired rows once an hour in each replica. */
export function createHousekeeping(db: Database, logger: Logger): Loop {
  const deleteExpired = async () => {
    await Promise.all([deleteExpiredRefreshTokens(db), deleteEndedWindows(db), deleteExpiredRevocations(db)]);
  };
  return every(everyMs, deleteExpired, {
    onError: (error) => logger.warn({ error }, 'failed to delete expired tokens; retrying in an hour'),
  });
}
