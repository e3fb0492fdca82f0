import { testDatabase, type TestDatabase } from '@canvass/testing';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { databaseCheck, createDatabase, loginOf, ownerOf, provision } from '../src';

const schema = 'submissions';
const prefix = () => `spec_${randomBytes(4).toString('hex')}`;
const made: string[] = [];
let databases: TestDatabase[];

const openDatabases = (count: number) =>
  Promise.all(
    Array.from({ length: count }, () =>
      testDatabase({ template: 'provision', schema: 'spec', prepare: () => Promise.resolve() }),
    ),
  );

beforeEach(async () => {
  const open = () =>
    testDatabase({ template: 'provision', schema: 'spec', prepare: () => Promise.resolve() });
  databases = [await open(), await open()];
});
afterEach(async () => {
  const [{ adminUrl }] = databases as [TestDatabase];
  const server = new URL(adminUrl);
  server.pathname = '/postgres';
  await Promise.all(databases.map((database) => database.drop()));
  await asAdmin(
    server.href,
    made
      .splice(0)
      .map((role) => `drop role if exists ${role}`)
      .join(';'),
  );
});

/** The rows of a statement of a superuser. */
async function asAdmin<R extends pg.QueryResultRow>(url: string, sql: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Provisions one schema in the first or the second database of the server. */
async function install(at: 0 | 1, name: string, of = schema): Promise<void> {
  const role = loginOf(name, of);
  const password = randomBytes(12).toString('hex');
  made.push(role, ownerOf(role));
  await provision(databases[at]!.adminUrl, [{ schema: of, role, password, ownerPassword: password }]);
}

function urlOf(at: 0 | 1, role: string): string {
  const url = new URL(databases[at]!.adminUrl);
  url.username = role;
  return url.href;
}

/** The hash of the role's password. */
async function passwordOf(name: string): Promise<string> {
  const sql = `select rolpassword as hash from pg_authid where rolname = '${loginOf(name, schema)}'`;
  const [row] = await asAdmin<{ hash: string }>(databases[0]!.adminUrl, sql);
  return row!.hash;
}

it('two installations on one server have roles of their own', async () => {
  const [one, two] = [prefix(), prefix()];
  await install(0, one);
  await install(1, two);
  await asAdmin(urlOf(0, ownerOf(loginOf(one, schema))), `create table ${schema}.notes (id int)`);
  await expect(asAdmin(urlOf(0, loginOf(two, schema)), `select from ${schema}.notes`)).rejects.toThrow(
    'permission denied',
  );
});

it('a role of an installation in another database keeps its password', async () => {
  const name = prefix();
  await install(0, name);
  const before = await passwordOf(name);
  await expect(install(1, name)).rejects.toThrow(
    /^The role \S+ belongs to an installation in the database test_\S+ of this server\. .*Service:Provision:Prefix/,
  );
  expect(await passwordOf(name)).toBe(before);
});

it('of two that begin at the same moment with one prefix, one is refused', async () => {
  for (let round = 0; round < 40; round++) {
    const [name, of] = [prefix(), `schema_${round}`];
    const results = await Promise.allSettled([install(0, name, of), install(1, name, of)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  }
});

it('a database of another installation is not changed', async () => {
  const [one, two] = [prefix(), prefix()];
  await install(0, one);
  await expect(install(0, two)).rejects.toThrow(
    `The schema ${schema} belongs to the role ${ownerOf(loginOf(one, schema))} of another installation.`,
  );
  await expect(asAdmin(urlOf(0, loginOf(two, schema)), 'select 1')).rejects.toThrow('does not exist');
});

it('the same installation gets new passwords, and one whose database was dropped leaves its names', async () => {
  const name = prefix();
  await install(0, name);
  const before = await passwordOf(name);
  await install(0, name);
  expect(await passwordOf(name)).not.toBe(before);
  await asAdmin(databases[1]!.adminUrl, `drop database ${new URL(databases[0]!.adminUrl).pathname.slice(1)}`);
  databases = [...(await openDatabases(1)), databases[1]!];
  await expect(install(1, name)).resolves.toBeUndefined();
});

it('refused logins show in the health, although older connections work', async () => {
  const name = prefix();
  await install(0, name);
  const database = createDatabase({ Url: urlOf(0, loginOf(name, schema)), PoolMax: 2 });
  const check = () => databaseCheck(database).check(AbortSignal.timeout(5_000));
  const alter = (option: string) =>
    asAdmin(databases[0]!.adminUrl, `alter role ${loginOf(name, schema)} ${option}`);
  try {
    expect(await check()).toMatchObject({ status: 'Healthy' });
    await alter('nologin');
    // The first call keeps the only connection, so that the second one opens another.
    await Promise.allSettled([database.query('select pg_sleep(0.2)'), database.query('select 1')]);
    expect(await check()).toMatchObject({
      status: 'Degraded',
      description: 'The database refuses new connections (28000).',
    });
    await alter('login');
    expect(await check()).toMatchObject({ status: 'Healthy' });
  } finally {
    await database.close();
  }
});
