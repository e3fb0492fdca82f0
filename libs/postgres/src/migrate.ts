import createKnex, { type Knex } from 'knex';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connectionFault, sqlState } from './faults';

/** One step of a schema. Expand first, contract in a later release: the version before runs on it meanwhile. */
export interface Migration {
  /** Unique and sortable: `20261120T1200_words`. */
  name: string;
  up(knex: Knex): Promise<void>;
  down(knex: Knex): Promise<void>;
  /**
   * False for what Postgres refuses inside a transaction (`create index concurrently`, see `createIndexConcurrently`). Such a
   * migration may be cut off at any point and is run again, so that each of its statements must bear repetition.
   */
  transaction?: false;
}

export interface MigrateOptions {
  /** `up` (default) applies what is missing, up to and including `to`; `down` undoes what came after `to`, or all. */
  direction?: 'up' | 'down';
  to?: string;
  /** How long to wait for a database that does not answer, or that is not provisioned yet; 60 s unless told. */
  waitSeconds?: number;
  /** Ends the waiting, for a process that is asked to stop meanwhile. */
  signal?: AbortSignal;
  /** Told why it still waits, at most every few seconds. */
  onWait?(reason: string): void;
}

/** One lock for all copies of a service: the schema is in the second half of the key. */
const lockSpace = 7_226_002;

/** knex would write to the console what it throws as well. */
const silent = { warn: ignore, error: ignore, deprecate: ignore, debug: ignore };
function ignore() {}

/** Not there yet, although the server answers: starting, role or database or schema not provisioned, wrong password. */
const notYet = /^(57P03|53300|28000|28P01|3D000)$/;

/**
 * Brings the schema of the URL's role up or down, and gives the names of the migrations that were run. Any number of
 * copies may do it at once: they take turns under an advisory lock, and all but the first find nothing to do. A
 * migration that is in the database and not in the list is left alone, because it belongs to a newer version.
 */
export async function migrate(
  url: string,
  migrations: readonly Migration[],
  options: MigrateOptions = {},
): Promise<string[]> {
  checkNames(migrations, options.to);
  const session = await connect(url, options);
  try {
    const { rows } = await session.query<{ schema: string | null }>('select current_schema() as schema');
    const schema = rows[0]?.schema;
    if (!schema) throw new Error('The database role has no schema of its own; provision the database first.');
    await turn(session, schema, options.signal);
    return await run(url, migrations, options);
  } finally {
    await session.end();
  }
}

/**
 * Waits until no other copy migrates. By asking again and again: a statement that waits holds a snapshot, and
 * `create index concurrently` of the copy whose turn it is would wait for that one to end.
 */
async function turn(session: pg.Client, schema: string, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const { rows } = await session.query<{ mine: boolean }>(
      'select pg_try_advisory_lock($1, hashtext($2)) as mine',
      [lockSpace, schema],
    );
    if (rows[0]?.mine) return;
    await sleep(100, undefined, signal ? { signal } : {});
  }
}

async function run(
  url: string,
  migrations: readonly Migration[],
  options: MigrateOptions,
): Promise<string[]> {
  const todo = await withKnex(url, lockTimeoutMs, migrations, async (knex, config) => {
    // We hold the advisory lock, so a lock left in knex's own table is of a process that died.
    await knex.migrate.forceFreeMigrationsLock(config);
    const [completed] = (await knex.migrate.list(config)) as [{ name: string }[], unknown];
    return toDo(migrations, new Set(completed.map(({ name }) => name)), options);
  });
  for (const { name, transaction } of todo) {
    // Concurrent work waits for older transactions to end, and nobody waits for it meanwhile.
    const limit = transaction === false ? 0 : lockTimeoutMs;
    const step = () =>
      withKnex(url, limit, migrations, (knex, config) =>
        options.direction === 'down'
          ? knex.migrate.down({ ...config, name })
          : knex.migrate.up({ ...config, name }),
      );
    try {
      await patiently(step, options.signal);
    } catch (error) {
      throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
  }
  return todo.map(({ name }) => name);
}

function toDo(
  migrations: readonly Migration[],
  done: ReadonlySet<string>,
  { direction, to }: MigrateOptions,
): Migration[] {
  const last = to === undefined ? undefined : migrations.findIndex(({ name }) => name === to);
  if (direction !== 'down')
    return migrations
      .slice(0, last === undefined ? undefined : last + 1)
      .filter(({ name }) => !done.has(name));
  return migrations
    .slice((last ?? -1) + 1)
    .filter(({ name }) => done.has(name))
    .reverse();
}

async function withKnex<T>(
  url: string,
  lockTimeout: number,
  migrations: readonly Migration[],
  fn: (knex: Knex, config: Knex.MigratorConfig) => Promise<T>,
): Promise<T> {
  const knex = createKnex({
    client: 'pg',
    connection: { connectionString: url, options: `-c lock_timeout=${lockTimeout}` },
    pool: { min: 0, max: 2 },
    log: silent,
  });
  try {
    return await fn(knex, {
      migrationSource: sourceOf(migrations),
      tableName: 'knex_migrations',
      disableMigrationsListValidation: true,
    });
  } finally {
    await knex.destroy();
  }
}

/**
 * Who waits for a table's lock makes everybody wait who comes after. So no statement of a migration waits long: one that
 * does not get its lock gives way, its transaction is rolled back, and after a pause it is tried again.
 */
const lockTimeoutMs = 2_000;
const lockPauseMs = 1_000;
const mostTries = 60;
const lockNotAvailable = '55P03';

async function patiently(step: () => Promise<unknown>, signal?: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await step();
      return;
    } catch (error) {
      if (sqlState(error) !== lockNotAvailable || tries === mostTries) throw error;
      await sleep(lockPauseMs, undefined, signal ? { signal } : {});
    }
  }
}

function sourceOf(migrations: readonly Migration[]): Knex.MigrationSource<Migration> {
  return {
    getMigrations: () => Promise.resolve([...migrations]),
    getMigrationName: ({ name }) => name,
    getMigration: ({ up, down, transaction }) =>
      Promise.resolve({ up, down, ...(transaction === false ? { config: { transaction } } : {}) }),
  };
}

function checkNames(migrations: readonly Migration[], to: string | undefined): void {
  migrations.forEach(({ name }, at) => {
    const before = migrations[at - 1];
    if (before && before.name >= name) throw new Error(`Migration ${name} is listed after ${before.name}.`);
  });
  if (to !== undefined && !migrations.some(({ name }) => name === to))
    throw new Error(`There is no migration ${to}.`);
}

/** A session to hold the lock in; waits for the database with back-off. */
async function connect(
  url: string,
  { waitSeconds = 60, signal, onWait }: MigrateOptions,
): Promise<pg.Client> {
  const started = performance.now();
  for (let pause = 100, told = 0; ; pause = Math.min(pause * 2, 2_000)) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, keepAlive: true });
    client.on('error', () => undefined); // the next query reports it
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      if (!connectionFault(error) && !notYet.test(sqlState(error) ?? '')) throw error;
      const reason = error instanceof AggregateError ? String(error.errors[0]) : String(error);
      const waited = (performance.now() - started) / 1000;
      if (waited >= waitSeconds) {
        throw new Error(`The database did not become available within ${waitSeconds} s: ${reason}`, {
          cause: error,
        });
      }
      if (waited >= told) {
        onWait?.(reason);
        told = waited + 5;
      }
      await sleep(pause, undefined, signal ? { signal } : {});
    }
  }
}
