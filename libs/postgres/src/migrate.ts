import { retry } from '@canvass/async';
import createKnex, { type Knex } from 'knex';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { advisoryLocks } from './advisory-locks';
import { assertServerVersion } from './server-version';
import { connectionFault, sqlState } from './faults';
import { grantRowRights } from './grants';

/**
 * One step of a schema. Expand first and contract in a later release, because the previous version still runs
 * on it.
 */
export interface Migration {
  /** Unique and sortable: `0002_words`. */
  name: string;
  up(knex: Knex): Promise<void>;
  down(knex: Knex): Promise<void>;
  /** Reads the SQL of `up`, where it is in files. */
  sql?(): string;
  /**
   * False for statements that Postgres rejects inside a transaction (see `createIndexConcurrently`). Such a
   * migration may be interrupted at any point and is run again, so each of its statements must be repeatable.
   */
  transaction?: false;
}

export interface MigrateOptions {
  /**
   * `up` (default) applies missing migrations up to and including `to`. `down` reverts those after `to`, or
   * all.
   */
  direction?: 'up' | 'down';
  to?: string;
  /** Role of the service, if it is not that of the URL. It gets the right to read and change rows. */
  grantTo?: string;
  /** The time to wait for a database that does not respond or is not provisioned yet; default 60 s. */
  waitSeconds?: number;
  /** Ends the waiting when the process is stopped. */
  signal?: AbortSignal;
  /** Called with the reason of the waiting, at most every few seconds. */
  onWait?(reason: string): void;
}

/** knex would also write to the console what it throws. */
const silent = { warn: ignore, error: ignore, deprecate: ignore, debug: ignore };
function ignore() {}

/**
 * The server responds but is not ready: starting, role, database or schema not provisioned, wrong password.
 */
const notYet = /^(57P03|53300|28000|28P01|3D000)$/;

/**
 * Migrates the schema of the URL's role up or down and returns the names of the applied migrations. Any
 * number of replicas may call it at once: an advisory lock serializes them, and all but the first find
 * nothing to do. A migration that is in the database but not in the list belongs to a newer version and is
 * ignored.
 */
export async function migrate(
  url: string,
  migrations: readonly Migration[],
  options: MigrateOptions = {},
): Promise<string[]> {
  checkNames(migrations, options.to);
  const session = await connect(url, options);
  try {
    await acquireLock(session, options.signal);
    const done = await run(url, migrations, options);
    if (options.grantTo !== undefined) await grantRowRights(session, options.grantTo);
    return done;
  } finally {
    await session.end();
  }
}

/**
 * Waits until no other replica migrates. It polls, because a waiting statement holds a snapshot, and `create
 * index concurrently` of the other replica would wait for that one to end.
 */
async function acquireLock(session: pg.Client, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const { rows } = await session.query<{ mine: boolean }>(
      'select pg_try_advisory_lock($1, hashtext(current_schema())) as mine',
      [advisoryLocks.migration],
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
    // We hold the advisory lock, so a lock in knex's own table was left by a dead process.
    await knex.migrate.forceFreeMigrationsLock(config);
    const [completed] = (await knex.migrate.list(config)) as [{ name: string }[], unknown];
    return toDo(migrations, new Set(completed.map(({ name }) => name)), options);
  });
  for (const { name, transaction } of todo) {
    // A concurrent index build waits for older transactions to end, but nothing waits for it.
    const limit = transaction === false ? 0 : lockTimeoutMs;
    const step = () =>
      withKnex(url, limit, migrations, (knex, config) =>
        options.direction === 'down'
          ? knex.migrate.down({ ...config, name })
          : knex.migrate.up({ ...config, name }),
      );
    try {
      await retry(step, {
        when: (error) => sqlState(error) === lockNotAvailable,
        times: maxTries,
        delay: lockPauseMs,
        ...abortedBy(options),
      });
    } catch (error) {
      throw new Error(`Migration ${name} failed: ${serverMessage(error)}`, { cause: error });
    }
  }
  return todo.map(({ name }) => name);
}

/** The message of the server without the statement, which may be a whole schema; knex puts it in front. */
export function serverMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return sqlState(error) === undefined ? message : message.replace(/^[^]* - /, '');
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
    // The defaults of the role are for the statements of the service (`setRoleDefaults`).
    connection: {
      connectionString: url,
      options: `-c lock_timeout=${lockTimeout} -c statement_timeout=0 -c idle_in_transaction_session_timeout=0`,
    },
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
 * A statement that waits for a table lock blocks all later ones. So each statement of a migration waits only
 * briefly. If it does not get its lock, its transaction is rolled back and retried after a pause.
 */
const lockTimeoutMs = 2_000;
const lockPauseMs = 1_000;
const maxTries = 60;
const lockNotAvailable = '55P03';

/** Shortest time between two calls of `onWait`. */
const reportMs = 5_000;

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

/** The role may log in, and its schema is not there yet: the database is being provisioned. */
class WithoutSchema extends Error {
  override readonly message = 'The database role has no schema of its own; provision the database first.';
}

const isUnavailable = (error: unknown): boolean =>
  connectionFault(error) || error instanceof WithoutSchema || notYet.test(sqlState(error) ?? '');

/** Without its own schema, the first of the role is that of the extensions, where it may create nothing. */
async function assertSchema(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isThere: boolean | null }>(
    `select has_schema_privilege(current_schema(), 'create') or to_regclass('knex_migrations') is not null
         as "isThere"`,
  );
  if (rows[0]?.isThere !== true) throw new WithoutSchema();
}

async function connectOnce(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, keepAlive: true });
  client.on('error', () => undefined); // the next query reports it
  try {
    await client.connect();
    await assertServerVersion(client);
    await assertSchema(client);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

const reasonOf = (error: unknown): string =>
  String(error instanceof AggregateError ? error.errors[0] : error);

/** exactOptionalPropertyTypes forbids an undefined signal. */
const abortedBy = ({ signal }: MigrateOptions) => (signal ? { signal } : {});

/** Opens the session that holds the lock. Waits for the database with backoff. */
async function connect(url: string, options: MigrateOptions): Promise<pg.Client> {
  const { waitSeconds = 60, onWait = () => undefined } = options;
  let reportedAt = -Infinity;
  const report = (error: unknown): boolean => {
    if (!isUnavailable(error)) return false;
    if (performance.now() - reportedAt >= reportMs) {
      reportedAt = performance.now();
      onWait(reasonOf(error));
    }
    return true;
  };
  return retry(() => connectOnce(url), {
    when: report,
    deadlineMs: waitSeconds * 1000,
    delay: (failures) => Math.min(50 * 2 ** Math.min(failures, 10), 2_000),
    ...abortedBy(options),
  }).catch((error: unknown) => {
    if (!isUnavailable(error) || options.signal?.aborted) throw error;
    throw new Error(`The database did not become available within ${waitSeconds} s: ${reasonOf(error)}`, {
      cause: error,
    });
  });
}
