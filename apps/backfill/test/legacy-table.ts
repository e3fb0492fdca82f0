import { createDatabase, migrate, type Database, type Migration, type Queryable } from '@canvass/postgres';
import { testDatabase } from '@canvass/testing';
import { randomBytes } from 'node:crypto';
import path from 'node:path';

const submissions = path.join(__dirname, '../../submissions-svc');

const newTenant = (): string => String(10n ** 17n + (randomBytes(8).readBigUInt64BE() % 10n ** 17n));

export interface LegacyDatabase {
  url: string;
  db: Database;
  drop(): Promise<void>;
}

/** An empty database of its own with the schema of submissions-svc. */
export async function legacyDatabase(): Promise<LegacyDatabase> {
  // By path: an app may not import another one.
  const { migrations } = (await import(path.join(submissions, 'migrations.ts'))) as {
    migrations: readonly Migration[];
  };
  const database = await testDatabase({
    migrations,
    schema: 'submissions',
    prepare: async (url) => void (await migrate(url, migrations)),
  });
  const db = createDatabase({ Url: database.url, PoolMax: 4 });
  return {
    url: database.url,
    db,
    async drop() {
      await db.close();
      await database.drop();
    },
  };
}

export interface LegacyRow {
  submittedBy?: string | null;
  submitterId?: string | null;
  restrictionKey?: string | null;
  isTest?: boolean;
  deleted?: boolean;
  form?: string;
}

export interface StoredRow {
  submitter_id: string | null;
  submitted_by: string | null;
  restriction_key: string | null;
  revision: string;
  unchanged: boolean;
}

/** Two days ago, and so not the time of any change that the backfill makes. */
const longAgo = `now() - interval '2 days'`;

/** One tenant's part of the legacy table. */
export class LegacyTenant {
  constructor(
    private readonly db: Queryable,
    readonly id = newTenant(),
  ) {}

  async form(): Promise<string> {
    return this.one(
      `insert into forms (tenant_id, name, is_enabled, is_public, limit_one_per_user, definition, data_list_ids)
       values ($1, 'A form', true, true, true, '{}', '{}') returning id`,
      [this.id],
    );
  }

  submitter(
    provider: string,
    subject: string,
    { appUserId, id }: { appUserId?: string; id?: string } = {},
  ): Promise<string> {
    return this.one(
      `insert into submitters (id, tenant_id, auth_provider, external_subject_id, app_user_id, display_id)
       values (coalesce($5::bigint, next_id()), $1, $2, $3, $4, $3) returning id`,
      [this.id, provider, subject, appUserId ?? null, id ?? null],
    );
  }

  async submission(row: LegacyRow): Promise<string> {
    return this.one(
      `insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
         collection_status, submitted_by, submitter_id, restriction_key, deleted_at, modified_at)
       values ($1, $2, false, $3, 0, '{}', '{}', 'in_progress', $4, $5, $6, case when $7 then now() end, ${longAgo})
       returning id`,
      [
        this.id,
        row.form ?? (await this.form()),
        row.isTest ?? false,
        row.submittedBy ?? null,
        row.submitterId ?? null,
        row.restrictionKey ?? null,
        row.deleted ?? false,
      ],
    );
  }

  async row(id: string): Promise<StoredRow> {
    const [row] = await this.db.query<StoredRow>(
      `select submitter_id, submitted_by, restriction_key, revision, modified_at < now() - interval '1 day' as unchanged
       from submissions where tenant_id = $1 and id = $2`,
      [this.id, id],
    );
    return row!;
  }

  private async one(sql: string, values: unknown[]): Promise<string> {
    const [row] = await this.db.query<{ id: string }>(sql, values);
    return row!.id;
  }
}
