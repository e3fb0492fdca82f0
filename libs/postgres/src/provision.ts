import { retry } from '@canvass/async';
import pg from 'pg';
import { advisoryLocks } from './advisory-locks';
import { sqlState } from './faults';
import { grantRowRights } from './grants';
import { assertServerVersion } from './server-version';

export interface ProvisionedService {
  schema: string;
  role: string;
  password: string;
  /** Password of `ownerOf(role)`, which then owns and migrates the schema; `role` gets rights on rows. */
  ownerPassword?: string;
}

/** The role that owns the schema of a service, where its own role does not. */
export const ownerOf = (role: string): string => `${role}_owner`;

/** Roles belong to the server, so provisioning two of its databases at once can collide. */
const collisions = new Set(['XX000', '23505', '42710', '40P01']);

/**
 * Prepares the database of the URL for the services, as its owner or a superuser. Each service gets a role
 * that can log in and a schema that only this role can use. The extensions are in a schema that all can read.
 * `public` stays empty. It is safe to repeat, even concurrently, and sets the passwords again.
 *
 * @throws {Error} before any change if a role or a schema belongs to another installation
 */
export async function provision(adminUrl: string, services: readonly ProvisionedService[]): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // the next query reports it
  await client.connect();
  try {
    await assertServerVersion(client);
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.provisioning]);
    for (const service of services) await requireOwn(client, service);
    await withoutCollision(() => prepareDatabase(client));
    for (const service of services) await withoutCollision(() => prepareService(client, service));
  } finally {
    await client.end();
  }
}

async function prepareDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  const database = pg.escapeIdentifier(rows[0]!.name);
  await client.query(`
    revoke all on schema public from public;
    revoke create, temporary on database ${database} from public;
    create schema if not exists extensions;
    grant usage on schema extensions to public;
    create extension if not exists pg_trgm schema extensions;
    create extension if not exists unaccent schema extensions`);
}

/**
 * Refuses a role that may connect to another database but not to this one, and a schema of another role:
 * they belong to another installation. The right to connect ends with the database.
 */
async function requireOwn(client: pg.Client, { schema, role }: ProvisionedService): Promise<void> {
  const { rows } = await client.query<{ database: string | null; owner: string | null }>(
    `select
       (select min(datname) from pg_database, aclexplode(datacl), pg_roles
        where grantee = pg_roles.oid and rolname = any ($1) and privilege_type = 'CONNECT'
        having not bool_or(datname = current_database())) as database,
       (select rolname from pg_namespace join pg_roles on pg_roles.oid = nspowner
        where nspname = $2 and rolname <> all ($1)) as owner`,
    [[role, ownerOf(role)], schema],
  );
  const { database, owner } = rows[0]!;
  const remedy = 'Give this installation a prefix of its own (Service:Provision:Prefix)';
  if (database !== null)
    throw new Error(
      `The role ${role} belongs to an installation in the database ${database} of this server. ${remedy}.`,
    );
  if (owner !== null)
    throw new Error(
      `The schema ${schema} belongs to the role ${owner} of another installation. ${remedy} and a database of its own.`,
    );
}

async function prepareService(
  client: pg.Client,
  { schema, role, password, ownerPassword }: ProvisionedService,
): Promise<void> {
  // Again, because another database may have made the role since. A role that exists before this check has
  // the right that says whose it is. One that is made after it collides.
  const exists = await hasRole(client, role);
  await requireOwn(client, { schema, role, password });
  await prepareRole(client, role, exists, password, schema);
  const theSchema = pg.escapeIdentifier(schema);
  if (ownerPassword === undefined) {
    await client.query(`create schema if not exists ${theSchema} authorization ${pg.escapeIdentifier(role)}`);
    return;
  }
  const [theRole, theOwner] = [role, ownerOf(role)].map((name) => pg.escapeIdentifier(name));
  await prepareRole(client, ownerOf(role), await hasRole(client, ownerOf(role)), ownerPassword, schema);
  // All objects of an installation whose role had migrated, and its schema. Its processes may be running.
  await client.query(`
    begin;
    create schema if not exists ${theSchema} authorization ${theOwner};
    reassign owned by ${theRole} to ${theOwner};
    set local role ${theOwner};
    set local search_path = ${theSchema}`);
  await grantRowRights(client, role);
  await client.query('commit');
}

async function hasRole(client: pg.Client, role: string): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  return rowCount === 1;
}

/** A role that can log in and finds the tables of the schema. */
async function prepareRole(
  client: pg.Client,
  role: string,
  exists: boolean,
  password: string,
  schema: string,
): Promise<void> {
  const { rows } = await client.query<{ superuser: boolean; maySetLog: boolean; database: string }>(
    `select (select rolsuper from pg_roles where rolname = current_user) as superuser,
            has_parameter_privilege('log_error_verbosity', 'set') as "maySetLog",
            current_database() as database`,
  );
  const { superuser, maySetLog, database } = rows[0]!;
  const [theRole, theSchema] = [pg.escapeIdentifier(role), pg.escapeIdentifier(schema)];
  // The log of the server gets no values of rows with errors.
  const terseLog = maySetLog ? `alter role ${theRole} set log_error_verbosity = terse;` : '';
  // One transaction: a role is never without the right that says whose it is.
  await client.query(`
    ${exists ? '' : `create role ${theRole};`}
    alter role ${theRole} login password ${pg.escapeLiteral(password)};
    alter role ${theRole} set search_path = ${theSchema}, extensions;
    ${terseLog}
    ${superuser ? '' : `grant ${theRole} to current_user;`}
    grant connect, temporary on database ${pg.escapeIdentifier(database)} to ${theRole}`);
}

const withoutCollision = (fn: () => Promise<void>): Promise<void> =>
  retry(fn, {
    when: (error) => collisions.has(sqlState(error) ?? ''),
    times: 10,
    delay: (failures) => Math.random() * 50 * failures,
  });
