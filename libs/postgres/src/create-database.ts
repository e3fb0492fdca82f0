import { retry, withTimeout } from '@canvass/async';
import type { Knex } from 'knex';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Database, Tx } from './database';
import { connectFairly, shareConnections } from './fair-share';
import { connectionFault, sqlState } from './faults';
import { sessionLimits, type SessionOptions } from './session-limits';
import type { DatabaseSettings } from './settings';
import type { Sql } from './statement';

export interface DatabaseOptions extends SessionOptions {
  /** Shown in `pg_stat_activity`. */
  applicationName?: string;
  /** Called for errors that are not thrown: lost idle connections and failed `afterCommit` functions. */
  onError?(error: Error): void;
  /** The tenant of the current call; tenants share the connections (`shareConnections`). */
  ownerOf?(): string | undefined;
}

const transactionAttempts = 4;
const typeOfDate = 1082;

/** `date` stays text: pg would convert it to midnight in the time zone of the process. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === typeOfDate
      ? (text: string) => text
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/**
 * A connection pool. It connects at the first call. A restart of the server only fails the calls in flight.
 */
export function createDatabase(
  settings: Pick<DatabaseSettings, 'Url'> & Partial<DatabaseSettings>,
  options: DatabaseOptions = {},
): Database {
  const onError = options.onError ?? (() => undefined);
  const isPooled = settings.DirectUrl !== undefined;
  const isPrepared = settings.PreparedStatements ?? true;
  const name = options.applicationName;
  const connection = {
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
    ...(name === undefined ? {} : { application_name: name }),
  };
  const limits = sessionLimits(settings, options).map((limit) => `-c ${limit}`);
  const limited = { options: limits.join(' ') };
  const pool = new pg.Pool({
    ...connection,
    // A pooler refuses settings of a session. There the role has them (`setRoleDefaults`).
    ...(isPooled ? {} : limited),
    connectionString: settings.Url,
    max: settings.PoolMax ?? 10,
    idleTimeoutMillis: 30_000,
  });
  if (options.ownerOf) shareConnections(pool, () => options.ownerOf?.());
  pool.on('error', onError);
  // Between two statements of a transaction there is no other listener, and an unhandled error event ends the
  // process.
  pool.on('connect', (client) => client.on('error', () => undefined));

  /**
   * After a failed statement the session is usable; after a lost connection or an open transaction it is not.
   */
  async function withClient<T>(fn: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await connectFairly(pool);
    let discard = false;
    try {
      return await fn(client);
    } catch (error) {
      discard = spoilsSession(error);
      throw error;
    } finally {
      client.release(discard || client.getTransactionStatus() !== 'I');
    }
  }

  async function query<R>(sql: Sql<R>, values?: readonly unknown[]): Promise<R[]> {
    // Not pool.query: it closes the connection after any error, even a unique violation.
    const once = () => withClient((client) => rowsOf<R>(client, isPrepared, sql, values));
    try {
      return await once();
    } catch (error) {
      if (!stalePlan(error)) throw error;
      return await once();
    }
  }

  async function attempt<T>(fn: (tx: Tx) => Promise<T>): Promise<T> {
    const hooks: (() => void)[] = [];
    const result = await withClient(async (client) => {
      await client.query('begin');
      const tx = openTx(client, isPrepared, hooks);
      try {
        const value = await fn(tx);
        tx.end();
        const { command } = await client.query('commit');
        // Postgres answers the commit of a failed transaction with success, although it rolls back.
        if (command !== 'COMMIT')
          throw new Error('A statement of the transaction failed; it was rolled back.');
        return value;
      } catch (error) {
        tx.end();
        // If the rollback fails, too, the session is destroyed with its open transaction.
        if (!spoilsSession(error)) await client.query('rollback').catch(() => undefined);
        throw error;
      }
    });
    for (const hook of hooks) {
      try {
        hook();
      } catch (error) {
        onError(error instanceof Error ? error : new Error(String(error)));
      }
    }
    return result;
  }

  const transaction = <T>(fn: (tx: Tx) => Promise<T>): Promise<T> =>
    retry(() => attempt(fn), {
      when: worthRepeating,
      times: transactionAttempts,
      delay: (failures) => Math.random() * 20 * 2 ** failures,
    });

  let closing: Promise<void> | undefined;
  return {
    pool,
    query,
    run: (builder) => query(...nativeOf(builder)),
    transaction,
    withClient,
    async openSession(purpose) {
      const session = new pg.Client({
        ...connection,
        ...limited,
        connectionString: settings.DirectUrl ?? settings.Url,
        application_name: `${name ?? 'canvass'} ${purpose}`,
      });
      session.on('error', () => undefined); // the next query reports it
      try {
        await session.connect();
        return session;
      } catch (error) {
        await session.end().catch(() => undefined);
        throw error;
      }
    },
    async ping(timeoutMs = 2_000) {
      await withTimeout(
        query('select 1'),
        timeoutMs,
        `Connection terminated: no answer within ${timeoutMs} ms`,
      );
    },
    close: () => (closing ??= pool.end()),
  };
}

function openTx(client: pg.PoolClient, isPrepared: boolean, hooks: (() => void)[]): Tx & { end(): void } {
  let open = true;
  const mustBeOpen = () => {
    if (!open) throw new Error('The transaction has ended; a query was not awaited.');
  };
  async function query<R>(sql: Sql<R>, values?: readonly unknown[]): Promise<R[]> {
    mustBeOpen();
    return rowsOf<R>(client, isPrepared, sql, values);
  }
  return {
    query,
    run: (builder) => query(...nativeOf(builder)),
    async copyIn(sql, chunks) {
      mustBeOpen();
      await pipeline(chunks, client.query(copyFrom(sql)));
    },
    afterCommit: (fn) => void hooks.push(fn),
    end: () => void (open = false),
  };
}

async function rowsOf<R>(
  client: pg.PoolClient,
  isPrepared: boolean,
  sql: Sql<R>,
  values?: readonly unknown[],
): Promise<R[]> {
  const config = typeof sql === 'string' ? { text: sql, values } : { values, ...sql };
  const named = isPrepared ? config : { ...config, name: undefined };
  const result = await client.query(named as pg.QueryConfig);
  return result.rows as R[];
}

function nativeOf(builder: Knex.QueryBuilder | Knex.Raw): [string, readonly unknown[]] {
  const { sql, bindings } = builder.toSQL().toNative();
  return [sql, bindings];
}

/** Whether the session must be destroyed after this error. */
function spoilsSession(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return connectionFault(error);
  return error.severity === 'FATAL' || error.severity === 'PANIC' || stalePlan(error);
}

/** A migration changed the columns of a prepared statement. A new connection prepares it again. */
function stalePlan(error: unknown): boolean {
  return sqlState(error) === '0A000' && (error as Error).message.includes('cached plan');
}

function worthRepeating(error: unknown): boolean {
  const code = sqlState(error);
  return code === '40001' || code === '40P01' || stalePlan(error);
}
