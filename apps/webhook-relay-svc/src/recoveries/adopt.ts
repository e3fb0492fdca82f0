import { every, type Loop } from '@canvass/async';
import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { adoptRecoveries } from './recoveries.sql';
import { recoveryKind } from './recovery-request';

const pauseMs = 5_000;

/**
 * Makes jobs of the recoveries of earlier versions, which had a table of their own. Such a process may still
 * run during an upgrade and start one.
 *
 * @param onAdopted called when jobs were made
 */
export function createRecoveryAdoption(db: Database, logger: Logger, onAdopted: () => void): Loop {
  const adopt = async () => {
    const adopted = await db.query(adoptRecoveries({ kind: recoveryKind }));
    if (adopted.length > 0) onAdopted();
  };
  return every(pauseMs, adopt, {
    atOnce: true,
    onError: (error) =>
      logger.warn({ error }, 'failed to adopt recoveries of an earlier version; trying again'),
  });
}
