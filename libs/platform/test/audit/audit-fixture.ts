import {
  createDatabase,
  migrate,
  nextIdSchema,
  schemaMigration,
  type Database,
  type Tx,
} from '@canvass/postgres';
import { testDatabase } from '@canvass/testing';
import { auditSchema, recordAudit, type AuditEntry } from '../../src/audit';

const migrations = [schemaMigration([nextIdSchema, auditSchema], 7)];

export interface AuditFixture {
  /** The database as the role of a service. */
  db: Database;
  /** Runs SQL past the triggers, as a person with the password of the superuser could. */
  tamper(sql: string): Promise<void>;
  /** Works as the superuser; it is rolled back. */
  attempt(work: (tx: Tx) => Promise<void>): Promise<void>;
  /** Records an action of tenant `tenantId` on the form `id`. */
  record(tenantId: string, id: string, entry?: Partial<AuditEntry>): Promise<void>;
  end(): Promise<void>;
}

export async function auditFixture(): Promise<AuditFixture> {
  const database = await testDatabase({
    migrations,
    schema: 'audited',
    prepare: async (url) => void (await migrate(url, migrations)),
  });
  const db = createDatabase({ Url: database.url });
  const admin = createDatabase({ Url: database.adminUrl });
  return {
    db,
    tamper: (sql) =>
      admin.transaction(async (tx) => {
        await tx.query('set local session_replication_role = replica');
        await tx.query('set local search_path = audited');
        await tx.query(sql);
      }),
    async attempt(work) {
      const done = new Error('rolled back');
      const attempted = admin.transaction(async (tx) => {
        await work(tx);
        throw done;
      });
      await attempted.catch((error: unknown) => {
        if (error !== done) throw error;
      });
    },
    record: (tenantId, id, entry = {}) =>
      recordAudit(db, { tenantId, object: ['form', id], action: 'form.updated', ...entry }),
    async end() {
      await Promise.all([db.close(), admin.close()]);
      await database.drop();
    },
  };
}
