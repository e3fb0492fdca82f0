import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionFault, sqlState } from './faults';
import { migrate, type Migration } from './migrate';
import { migrationLogin } from './migration-login';
import { setRoleDefaults } from './role-defaults';
import { assertServerVersion } from './server-version';
import type { SessionOptions } from './session-limits';
import type { DatabaseSettings } from './settings';

/** The options of the sessions are as in `createDatabase`, for connections through a pooler. */
export interface PrepareOptions extends SessionOptions {
  /** Ends the waiting. */
  signal: AbortSignal;
  logger: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
  };
}

/** Server, role, schema, tables or rights are not there yet; they may follow when this process runs. */
const notYet = /^(08|28|53|57P|3D000|3F000|42P01|42501)/;
const pauseMs = 1_000;
const reportMs = 5_000;

/**
 * Waits for the database and for its schema, for as long as it takes. With `MigrateOnStart` it applies the
 * migrations; without it, another process does. A build also works with the schema of the version before (ADR
 * 0015), so the last migration may be missing, unless it is the only one. Behind a pooler, stores the limits
 * of connections in the role.
 *
 * @throws {Error} for a failed migration, and the reason of `signal` when it is aborted
 */
export async function prepareSchema(
  settings: DatabaseSettings,
  migrations: readonly Migration[],
  { signal, logger, ...session }: PrepareOptions,
): Promise<void> {
  const url = settings.DirectUrl ?? settings.Url;
  const onWait = (reason: string) => logger.warn({ reason }, 'waiting for the database');
  if (settings.MigrateOnStart) {
    const { url: owner, grantTo } = migrationLogin(settings);
    const applied = await migrate(owner, migrations, { ...grantTo, waitSeconds: Infinity, signal, onWait });
    logger.info({ applied }, 'the schema is up to date');
  } else await otherMigrates(url, migrations, signal, onWait);
  if (settings.DirectUrl === undefined) return;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // the next query reports it
  try {
    await client.connect();
    await setRoleDefaults(client, settings, session);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Resolves when all migrations but the last are applied; the first always is. */
async function otherMigrates(
  url: string,
  migrations: readonly Migration[],
  signal: AbortSignal,
  onWait: (reason: string) => void,
): Promise<void> {
  const needed = migrations.slice(0, Math.max(1, migrations.length - 1)).map(({ name }) => name);
  let reportedAt = -Infinity;
  for (;;) {
    const missing = await missingOf(url, needed);
    if (missing === null) return;
    if (performance.now() - reportedAt >= reportMs) {
      onWait(missing);
      reportedAt = performance.now();
    }
    await sleep(pauseMs, undefined, { signal });
  }
}

/** Names what is not there yet; null if the schema can be used. */
async function missingOf(url: string, needed: readonly string[]): Promise<string | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // the next query reports it
  try {
    await client.connect();
    await assertServerVersion(client);
    const { rows } = await client.query<{ name: string }>('select name from knex_migrations');
    const applied = new Set(rows.map(({ name }) => name));
    const missing = needed.find((name) => !applied.has(name));
    return missing === undefined ? null : `The migration ${missing} is not applied.`;
  } catch (error) {
    if (!connectionFault(error) && !notYet.test(sqlState(error) ?? '')) throw error;
    return (error as Error).message;
  } finally {
    await client.end().catch(() => undefined);
  }
}
