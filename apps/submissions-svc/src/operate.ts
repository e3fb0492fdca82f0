import { auditOperations, recorded } from '@canvass/audit';
import { outboxOperations } from '@canvass/outbox';
import { createDatabase, type DatabaseSettings } from '@canvass/postgres';
import { runOperation, type OperatorTerminal } from '@canvass/service-kit';
import { resyncOperations } from './resync';

/** Runs `ops …` on the command line. @returns the exit status */
export async function operate(
  argv: readonly string[],
  database: DatabaseSettings,
  terminal: OperatorTerminal,
): Promise<number> {
  const name = 'submissions-svc';
  const db = createDatabase({ ...database, PoolMax: 1 }, { applicationName: `${name} ops` });
  try {
    const changing = [...resyncOperations(db), ...outboxOperations(name, db)];
    const operations = [...recorded(db, changing), ...auditOperations(name, db)];
    return await runOperation(argv, operations, terminal);
  } finally {
    await db.close();
  }
}
