import { auditOperations, recorded } from '@canvass/audit';
import { outboxOperations } from '@canvass/outbox';
import { createDatabase } from '@canvass/postgres';
import { quotaOperations } from '@canvass/quotas';
import { runOperation, type OperatorTerminal } from '@canvass/service-kit';
import { archiveOperations } from '@canvass/tenant-archive';
import { archivedTables } from './archived-tables';
import type { Config } from './config';
import { countUses, quotaRules } from './quotas';

/** Runs `ops …` on the command line. @returns the exit status */
export async function operate(
  argv: readonly string[],
  { Database, Quotas: settings }: Pick<Config['Service'], 'Database' | 'Quotas'>,
  terminal: OperatorTerminal,
): Promise<number> {
  const name = 'datalists-svc';
  const db = createDatabase({ ...Database, PoolMax: 1 }, { applicationName: `${name} ops` });
  try {
    const operations = [
      ...outboxOperations(name, db),
      ...archiveOperations(name, db, archivedTables),
      ...quotaOperations(name, db, { rules: quotaRules, settings, countUses }),
    ];
    return await runOperation(argv, [...recorded(db, operations), ...auditOperations(name, db)], terminal);
  } finally {
    await db.close();
  }
}
