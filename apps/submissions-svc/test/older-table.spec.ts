import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { createDatabase, migrate, type Database } from '@canvass/postgres';
import { testDatabase, type TestDatabase } from '@canvass/testing';
import { migrations } from '../migrations';
import { newTenant, startHarness, tenantOf } from './harness';
import { pathOf, type Submission } from './submission-calls';

const checkout = path.join(__dirname, '../../..');

/** The table as it was before there were submitters. */
const olderSubmissions = `create table submissions (
  id bigint primary key default next_id(),
  tenant_id bigint not null,
  form_id bigint not null,
  is_complete boolean not null,
  is_test_submission boolean not null,
  current_page integer not null,
  json_data text not null,
  metadata text not null,
  collection_status text not null
    check (collection_status in ('not_started', 'in_progress', 'complete', 'screen_out')),
  previous_collection_status text,
  status text not null default 'new' check (status in ('new', 'read', 'approved', 'declined')),
  submitted_by text,
  restriction_key text,
  token_hash bytea,
  token_expires_at timestamptz,
  started_at timestamptz not null default now(),
  completed_at timestamptz,
  completed_revision bigint,
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  revision bigint not null default 1,
  deleted_at timestamptz,
  unique (tenant_id, id),
  foreign key (tenant_id, form_id) references forms (tenant_id, id),
  check (is_complete = (completed_at is not null)),
  check (is_complete = (completed_revision is not null)),
  check (not (is_complete and collection_status = 'screen_out'))
) with (fillfactor = 90);
create unique index submissions_restriction_key on submissions (tenant_id, restriction_key)
  where restriction_key is not null and deleted_at is null;
create unique index submissions_token on submissions (token_hash) where token_hash is not null;
create index submissions_list on submissions (tenant_id, form_id, id desc) where deleted_at is null`;

/** The statements of docs/backfill.md. */
const additive = /^```sql\n([^`]+)```/m
  .exec(readFileSync(path.join(checkout, 'docs/backfill.md'), 'utf8'))![1]!
  .split(/;\n/)
  .filter((statement) => statement.trim() !== '');

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await testDatabase({
    template: 'empty',
    schema: 'submissions',
    prepare: () => Promise.resolve(),
  });
  db = createDatabase({ Url: database.url, PoolMax: 2 });
  await migrate(database.url, migrations, { to: '20261120T1202_forms' });
  for (const statement of olderSubmissions.split(';\n')) await db.query(statement);
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const tenantId = newTenant();

async function olderForm(): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    `insert into forms (tenant_id, name, is_enabled, is_public, limit_one_per_user, definition, data_list_ids)
     values ($1, 'A form', true, true, true, '{}', '{}') returning id`,
    [tenantId],
  );
  return row!.id;
}

async function olderSubmission(form: string, by: string | null, isTest = false): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    `insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
       collection_status, submitted_by, restriction_key)
     values ($1, $2, false, $4, 0, '{"q":1}', '{}', 'in_progress', $3, $5)
     returning id`,
    [tenantId, form, by, isTest, by === null ? null : `SingleSubmission:Form:${form}:User:${by}`],
  );
  return row!.id;
}

const rows = () =>
  db.query('select id, submitted_by, restriction_key, revision from submissions order by id');

/** Columns, constraints and indexes of the schema, as text in order of name. */
async function shapeOf(of: Database): Promise<string[]> {
  const found = await of.query<{ line: string }>(
    `select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line
       from information_schema.columns where table_schema = 'submissions'
     union all select format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
       where connamespace = 'submissions'::regnamespace
     union all select indexdef from pg_indexes where schemaname = 'submissions' order by 1`,
  );
  return found.map(({ line }) => line);
}

/** As a start of the service does it. */
const migrateOver = () =>
  expect(migrate(database.url, migrations)).rejects.toThrow(
    /^Migration 20261120T1204_submissions failed: [^]*relation "submissions" already exists$/,
  );

/**
 * Runs the command as a process; resolves with the last line of its report, rejects unless no row remains.
 */
async function backfill(): Promise<object> {
  const program = path.join(checkout, 'apps/backfill/src/main.ts');
  const args = ['--import', 'tsx', program, '--external-provider', 'Keycloak'];
  const env = { ...process.env, Service__Database__Url: database.url };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: checkout, env });
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as object;
}

it('the migrations stop at the table of an older version and change none of its rows', async () => {
  await olderSubmission(await olderForm(), '42');
  const before = await rows();
  await migrateOver();
  expect(await rows()).toEqual(before);
});

it('after the additive change the service has its schema, and the backfill links the rows that are there', async () => {
  const form = await olderForm();
  const [own, external, test, anonymous] = [
    await olderSubmission(form, '42'),
    await olderSubmission(form, 'ada@example.org'),
    await olderSubmission(form, '43', true),
    await olderSubmission(form, null),
  ];
  const before = await rows();
  await migrateOver();
  for (const statement of additive) await db.query(statement);
  expect(await rows()).toEqual(before);

  const service = await startHarness({ databaseOf: database.url });
  try {
    const fresh = await startHarness({ partitions: 0 });
    const expected = await shapeOf(fresh.db).finally(() => fresh.close());
    expect(await shapeOf(db)).toEqual(expected);

    // Respondents become submitters when they answer something else; the backfill itself makes none.
    const tenant = tenantOf(service, tenantId);
    const people = [
      tenant.user({ sub: '42' }),
      tenant.external({ sub: 'ada@example.org' }),
      tenant.user({ sub: '43' }),
    ];
    const elsewhere = pathOf(await tenant.form());
    const submitters: string[] = [];
    for (const person of people) {
      const { status, body } = await person.post<Submission>(elsewhere, {});
      expect(status).toBe(201);
      submitters.push(body['submitterId']!);
    }
    expect(await backfill()).toEqual({ kind: 'verification', unlinked: 0, legacyKeys: 0 });
    expect(await db.query('select from submissions where submitter_id is null')).toHaveLength(1);

    const read = async (id: string) => (await tenant.admin.get<Submission>(`${pathOf(form)}/${id}`)).body;
    for (const [id, submitterId] of [
      [own, submitters[0]!],
      [external, submitters[1]!],
      [test, submitters[2]!],
      [anonymous, null],
    ] as const) {
      expect(await read(id)).toMatchObject({ submitterId, submittedBy: submitterId, jsonData: '{"q":1}' });
    }
    for (const [person, existingId] of [
      [people[0]!, own],
      [people[1]!, external],
    ] as const) {
      expect(await person.post(pathOf(form), {})).toMatchObject({ status: 409, body: { existingId } });
    }
  } finally {
    await service.close();
  }
});
