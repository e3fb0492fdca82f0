import { auditOperations, recorded } from '@canvass/audit';
import { createSecretBox } from '@canvass/auth';
import { createDatabase } from '@canvass/postgres';
import { quotaOperations } from '@canvass/quotas';
import { runOperation, type OperatorTerminal } from '@canvass/service-kit';
import { archiveOperations } from '@canvass/tenant-archive';
import { accountOperations } from './account-operations';
import { archivedTables } from './archived-tables';
import type { IdentitySettings } from './config';
import { keyOperations, signingKeys } from './keys';
import { countUses, quotaRules } from './quotas';

/** Runs `ops …` on the command line. @returns the exit status */
export async function operate(
  argv: readonly string[],
  settings: Pick<IdentitySettings, 'Database' | 'Encryption' | 'Tokens' | 'Mail' | 'Quotas'>,
  terminal: OperatorTerminal,
): Promise<number> {
  const { Database, Encryption, Tokens, Mail, Quotas } = settings;
  const name = 'identity-svc';
  const db = createDatabase({ ...Database, PoolMax: 1 }, { applicationName: `${name} ops` });
  try {
    const keys = signingKeys(db, createSecretBox(Encryption.Keys));
    const operations = [
      ...keyOperations(db, keys, Tokens),
      ...accountOperations(db, Mail),
      ...archiveOperations(name, db, archivedTables),
      ...quotaOperations(name, db, { rules: quotaRules, settings: Quotas, countUses }),
    ];
    return await runOperation(argv, [...recorded(db, operations), ...auditOperations(name, db)], terminal);
  } finally {
    await db.close();
  }
}
