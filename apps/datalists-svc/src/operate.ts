import { outboxOperations } from '@canvass/outbox';
import { createDatabase, type DatabaseSettings } from '@canvass/postgres';
import { runOperation, type OperatorTerminal } from '@canvass/service-kit';

/** Runs `ops …` on the command line. @returns the exit status */
export async function operate(
  argv: readonly string[],
  database: DatabaseSettings,
  terminal: OperatorTerminal,
): Promise<number> {
  const db = createDatabase({ ...database, PoolMax: 1 }, { applicationName: 'datalists-svc ops' });
  try {
    return await runOperation(argv, outboxOperations('datalists-svc', db), terminal);
  } finally {
    await db.close();
  }
}
