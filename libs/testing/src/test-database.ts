import { createHash, randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { testServers } from './config';
import { assertNoEventFaults, checkEvent } from './event-check';

export interface TestDatabaseOptions {
  /** Migrations; with their SQL part of the template's key, so that a changed one meets no old template. */
  migrations?: readonly { name: string; up: unknown; sql?(): string }[];
  /** Further part of the key: what else the content of the template depends on. */
  template?: string;
  /**
   * Schema of the service. Its role is `test_<schema>`, so that provisioning on the same server does not
   * change its password.
   */
  schema: string;
  /**
   * Runs the migrations on the template, once per key and server, with the URL for the role of the service.
   */
  prepare(url: string): Promise<void>;
}

export interface TestDatabase {
  /** URL for the role of the service, whose `search_path` is its schema. */
  url: string;
  /** URL of the superuser on the same database, for changes that the service must not be able to make. */
  adminUrl: string;
  /** @throws {Error} if an event that the test published or left in the outbox breaks its contract */
  drop(): Promise<void>;
}

/** Advisory lock around the preparation of templates and the changes of roles, which all databases share. */
const lockKey = 7_226_001;
const rolePassword = 'test';

/**
 * Creates a database for one spec file as a clone of a template (about 0.1 s). The template has the schema
 * and role of the service as provisioning creates them, and the result of `prepare`. It is created once per
 * key and server.
 */
export async function testDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  const role = `test_${options.schema}`;
  const key = createHash('sha256')
    .update(`${options.schema}\n${options.template ?? ''}\n${textOf(options.migrations ?? [])}`)
    .digest('hex')
    .slice(0, 16);
  const template = `template_${key}`;
  const name = `test_${key}_${randomBytes(5).toString('hex')}`;

  await withClient(adminUrlOf('postgres'), async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [lockKey]);
    const found = await admin.query<{ ready: boolean }>(
      'select datistemplate as ready from pg_database where datname = $1',
      [template],
    );
    if (found.rows[0]?.ready) return;
    await admin.query(`drop database if exists ${template} with (force)`); // left by an interrupted preparation
    await admin.query(`create database ${template}`);
    await createRole(admin, role, options.schema);
    await withClient(adminUrlOf(template), (client) => createSchema(client, role, options.schema));
    await options.prepare(serviceUrlOf(template, role));
    await admin.query(`alter database ${template} is_template true allow_connections false`);
  });

  await withClient(adminUrlOf('postgres'), (admin) => clone(admin, template, name));
  return {
    url: serviceUrlOf(name, role),
    adminUrl: adminUrlOf(name),
    async drop() {
      await withClient(adminUrlOf(name), (client) => checkOutbox(client, options.schema));
      await withClient(adminUrlOf('postgres'), async (admin) => {
        await admin.query(`drop database if exists ${name} with (force)`);
      });
      assertNoEventFaults();
    },
  };
}

/** Checks the events in the outbox that were not published before the test ended. */
async function checkOutbox(client: Client, schema: string): Promise<void> {
  const found = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `${schema}.outbox`,
  ]);
  if (!found.rows[0]?.there) return;
  const { rows } = await client.query<{ id: string; type: string; event: string }>(
    `select event_id::text as id, event_type as type, json_build_object('id', event_id::text, 'type', event_type,
       'schemaVersion', 1, 'tenantId', tenant_id::text, 'entity', entity, 'entityId', entity_id::text,
       'formId', form_id::text, 'revision', revision::text, 'settings', settings, 'traceparent', traceparent,
       'occurredAt', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', data)::text as event
     from ${schema}.outbox limit 5000`,
  );
  for (const { id, type, event } of rows) checkEvent(type, Buffer.from(event), id);
}

const textOf = (migrations: NonNullable<TestDatabaseOptions['migrations']>): string =>
  migrations.map(({ name, up, sql }) => name + (sql?.() ?? String(up))).join();

async function createRole(admin: Client, role: string, schema: string): Promise<void> {
  const { rowCount } = await admin.query('select from pg_roles where rolname = $1', [role]);
  if (rowCount === 0) await admin.query(`create role ${role}`);
  await admin.query(`alter role ${role} login password '${rolePassword}'`);
  await admin.query(`alter role ${role} set search_path = ${schema}, extensions`);
}

async function createSchema(client: Client, role: string, schema: string): Promise<void> {
  await client.query(`
    revoke all on schema public from public;
    create schema extensions;
    grant usage on schema extensions to public;
    create extension pg_trgm schema extensions;
    create extension unaccent schema extensions;
    create schema ${schema} authorization ${role}`);
}

/**
 * Clones the template. It accepts no connections, but a connection of the preparation may still be closing
 * (55006, object in use).
 */
async function clone(admin: Client, template: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await admin.query(`create database ${name} template ${template}`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || attempt === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function withClient<T>(url: string, fn: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined); // the next query reports it
  await client.connect();
  try {
    return await fn(client);
  } finally {
    await client.end();
  }
}

function adminUrlOf(database: string): string {
  const url = new URL(testServers.databaseUrl);
  url.pathname = `/${database}`;
  return url.href;
}

function serviceUrlOf(database: string, role: string): string {
  const url = new URL(adminUrlOf(database));
  url.username = role;
  url.password = rolePassword;
  return url.href;
}
