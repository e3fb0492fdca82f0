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

/** The tables as they were before there were submitters. Their indexes have names of the present schema. */
const olderTables = `
  create table submissions.forms (
    id bigint primary key,
    tenant_id bigint not null,
    name text not null,
    description text,
    is_enabled boolean not null,
    is_public boolean not null,
    limit_one_per_user boolean not null,
    definition json not null,
    submission_token_expiry_hours integer,
    data_list_ids bigint[] not null default '{}',
    created_at timestamptz not null default now(),
    modified_at timestamptz not null default now(),
    revision bigint not null default 1,
    deleted_at timestamptz,
    unique (tenant_id, id)
  );
  create table submissions.submissions (
    id bigint primary key,
    tenant_id bigint not null,
    form_id bigint not null,
    is_complete boolean not null,
    is_test_submission boolean not null,
    current_page integer not null,
    json_data text not null,
    metadata text not null,
    collection_status text not null,
    previous_collection_status text,
    status text not null default 'new',
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
    foreign key (tenant_id, form_id) references submissions.forms (tenant_id, id)
  );
  create unique index submissions_restriction_key on submissions.submissions (tenant_id, restriction_key)
    where restriction_key is not null and deleted_at is null;
  create unique index submissions_token on submissions.submissions (token_hash) where token_hash is not null;
  create index submissions_list on submissions.submissions (tenant_id, form_id, id desc) where deleted_at is null`;

const read = (file: string) => readFileSync(path.join(checkout, file), 'utf8');
const statementsOf = (text: string) => text.split(/;\n/).filter((statement) => statement.trim() !== '');

/** The statements of the documents before the first start, and after it. */
const move = statementsOf(/^```sql\n([^`]+)```/m.exec(read('docs/backfill.md'))![1]!);
const copy = statementsOf(read('apps/backfill/copy-older-tables.sql'));

let database: TestDatabase;
let admin: Database;
const run = async (statements: readonly string[]) => {
  for (const statement of statements) await admin.query(statement);
};
beforeEach(async () => {
  database = await testDatabase({ schema: 'submissions', prepare: () => Promise.resolve() });
  admin = createDatabase({ Url: database.adminUrl, PoolMax: 2 });
  await run(olderTables.split(';\n'));
});
afterEach(async () => {
  await admin.close();
  await database.drop();
});

const tenantId = newTenant();

let lastId = 0;

async function olderForm(): Promise<string> {
  const id = String(++lastId);
  await admin.query(
    `insert into submissions.forms (id, tenant_id, name, is_enabled, is_public, limit_one_per_user, definition)
     values ($1, $2, 'A form', true, true, true, '{}')`,
    [id, tenantId],
  );
  return id;
}

async function olderSubmission(form: string, by: string | null, isTest = false): Promise<string> {
  const id = String(++lastId);
  await admin.query(
    `insert into submissions.submissions (id, tenant_id, form_id, is_complete, is_test_submission, current_page, json_data,
       metadata, collection_status, submitted_by, restriction_key)
     values ($1, $2, $3, false, $5, 0, '{"q":1}', '{}', 'in_progress', $4, $6)`,
    [id, tenantId, form, by, isTest, by === null ? null : `SingleSubmission:Form:${form}:User:${by}`],
  );
  return id;
}

const rows = () =>
  admin.query<{ row: object }>('select to_jsonb(s) as row from submissions.submissions s order by id');

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
  await expect(migrate(database.url, migrations)).rejects.toThrow(
    'Migration 0001_schema failed: schema.sql: relation "forms" already exists',
  );
  expect(await rows()).toEqual(before);
});

it('after the older tables are copied the backfill links the rows that are there', async () => {
  const form = await olderForm();
  const [own, external, test, anonymous] = [
    await olderSubmission(form, '42'),
    await olderSubmission(form, 'ada@example.org'),
    await olderSubmission(form, '43', true),
    await olderSubmission(form, null),
  ];
  const before = await rows();
  await run(move);
  const service = await startHarness({ databaseOf: database.url });
  try {
    await run(copy);
    expect(await rows()).toMatchObject(before);

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
    await run(copy);
    expect(await admin.query('select id from submissions.submissions where submitter_id is null')).toEqual([
      { id: anonymous },
    ]);

    const read = async (id: string) => (await tenant.admin.get<Submission>(`${pathOf(form)}/${id}`)).body;
    for (const [id, submitterId] of [
      [own, submitters[0]!],
      [external, submitters[1]!],
      [test, submitters[2]!],
      [anonymous, null],
    ] as const) {
      expect(await read(id)).toMatchObject({ submitterId, submittedBy: submitterId, jsonData: '{"q":1}' });
    }
    for (const [person, id] of [
      [people[0]!, own],
      [people[1]!, external],
    ] as const) {
      expect(await person.post(pathOf(form), {})).toMatchObject({ status: 200, body: { id } });
    }
    const versions = await tenant.admin.get(`/api/forms/${form}/versions`);
    expect(versions.body).toMatchObject({ items: [{ revision: '1' }] });
  } finally {
    await service.close();
  }
});
