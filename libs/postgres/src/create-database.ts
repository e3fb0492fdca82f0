import { readJson } from '@canvass/json-numbers';
import { retry, withTimeout } from '@canvass/async';
import type { Knex } from 'knex';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { answerLimit, limitedTo } from './answer-limit';
import type { Database, TransactionOptions, Tx } from './database';
import { connectFairly, shareConnections } from './shares';
import { connectionFault, ReadOnlyServer, sqlState } from './faults';
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
/** Renews the sessions now and then, for example after the database has moved behind its name. */
const maxLifeSeconds = 15 * 60;
const typeOfDate = 1082;
const typeOfJson = 114;
/** Wrong password, unknown role, no right to connect, unknown database. */
const loginRefusals = /^(28...|42501|3D000)$/;

/** `date` stays text: pg would convert it to midnight in the time zone of the process. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === typeOfDate
      ? (text: string) => text
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** For statements with `keepsNumbers`. */
const exactTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === typeOfJson ? readJson : types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
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
  const statementMs = settings.StatementTimeoutMs ?? 30_000;
  const answerMs = answerLimit(statementMs);
  const sending = { isPrepared, answerMs };
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
    maxLifetimeSeconds: maxLifeSeconds,
  });
  shareConnections(pool, () => options.ownerOf?.());
  pool.on('error', onError);
  // Between two statements of a transaction there is no other listener, and an unhandled error event ends the
  // process.
  let refusedLogin: string | null = null;
  pool.on('connect', (client) => {
    refusedLogin = null;
    client.on('error', () => undefined);
  });

  let answeredAt = performance.now();
  /** Keeps the session after a failed statement, not after a lost connection or in an open transaction. */
  async function withClient<T>(fn: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await connectFairly(pool).catch((error: unknown) => {
      const state = sqlState(error) ?? '';
      if (loginRefusals.test(state)) refusedLogin = state;
      throw error;
    });
    let discard = false;
    try {
      const result = await fn(client);
      answeredAt = performance.now();
      return result;
    } catch (error) {
      discard = spoilsSession(error);
      if (error instanceof pg.DatabaseError) answeredAt = performance.now();
      throw error;
    } finally {
      client.release(discard || client.getTransactionStatus() !== 'I');
    }
  }

  async function query<R>(sql: Sql<R>, values?: readonly unknown[]): Promise<R[]> {
    // Not pool.query: it closes the connection after any error, even a unique violation.
    const send = (client: pg.PoolClient) => rowsOf<R>(client, sending, sql, values);
    try {
      return await withClient(send);
    } catch (error) {
      if (!stalePlan(error)) throw error;
      return await withClient(send);
    }
  }

  async function attempt<T>(
    fn: (tx: Tx) => Promise<T>,
    { maxStatementMs: maxMs }: TransactionOptions,
  ): Promise<T> {
    const hooks: (() => void)[] = [];
    const limit = maxMs === undefined ? '' : `; set local statement_timeout = ${Math.round(maxMs)}`;
    const limits = maxMs === undefined ? sending : { ...sending, answerMs: answerLimit(maxMs) };
    const result = await withClient(async (client) => {
      await client.query(limitedTo(answerMs, { text: `begin${limit}` }));
      const tx = openTx(client, limits, hooks);
      try {
        const value = await fn(tx);
        tx.end();
        const { command } = await client.query(limitedTo(answerMs, { text: 'commit' }));
        // Postgres answers the commit of a failed transaction with success, although it rolls back.
        if (command !== 'COMMIT')
          throw new Error('A statement of the transaction failed; it was rolled back.');
        return value;
      } catch (error) {
        tx.end();
        // If the rollback fails, too, the session is destroyed with its open transaction.
        if (!spoilsSession(error))
          await client.query(limitedTo(answerMs, { text: 'rollback' })).catch(() => undefined);
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

  const transaction = <T>(fn: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> =>
    retry(() => attempt(fn, options), {
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
    async openSession(purpose, ownAnswerMs = answerMs) {
      const session = new pg.Client({
        ...connection,
        ...limited,
        ...(ownAnswerMs === undefined ? {} : { query_timeout: ownAnswerMs }),
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
      const work = withClient(async (client) => {
        const [row] = await rowsOf<{ isReadOnly: boolean }>(
          client,
          sending,
          'select pg_is_in_recovery() as "isReadOnly"',
        );
        if (row!.isReadOnly) throw new ReadOnlyServer();
      });
      await withTimeout(work, timeoutMs, `Connection terminated: no answer within ${timeoutMs} ms`);
    },
    refusedLogin: () => refusedLogin,
    silentMs: () => performance.now() - answeredAt,
    close: () => (closing ??= pool.end()),
  };
}

/** The way statements are sent. */
interface Sending {
  isPrepared: boolean;
  /** Maximum time to the response in milliseconds; undefined means no limit. */
  answerMs: number | undefined;
}

function openTx(client: pg.PoolClient, sending: Sending, hooks: (() => void)[]): Tx & { end(): void } {
  let open = true;
  let { answerMs } = sending;
  const mustBeOpen = () => {
    if (!open) throw new Error('The transaction has ended; a query was not awaited.');
  };
  async function query<R>(sql: Sql<R>, values?: readonly unknown[]): Promise<R[]> {
    mustBeOpen();
    return rowsOf<R>(client, { ...sending, answerMs }, sql, values);
  }
  return {
    query,
    run: (builder) => query(...nativeOf(builder)),
    async copyIn(sql, chunks) {
      mustBeOpen();
      await pipeline(chunks, client.query(limitedTo(answerMs, copyFrom(sql))));
    },
    async limitStatements(ms) {
      await query('select set_config($1, $2, true)', ['statement_timeout', String(ms)]);
      answerMs = answerLimit(ms);
    },
    afterCommit: (fn) => void hooks.push(fn),
    end: () => void (open = false),
  };
}

async function rowsOf<R>(
  client: pg.PoolClient,
  { isPrepared, answerMs }: Sending,
  sql: Sql<R>,
  values?: readonly unknown[],
): Promise<R[]> {
  const { keepsNumbers, ...rest } = typeof sql === 'string' ? { text: sql, values } : sql;
  const config = { ...rest, ...(keepsNumbers && { types: exactTypes }) } as pg.QueryConfig;
  if (!isPrepared) config.name = undefined;
  const result = await client.query(limitedTo(answerMs, config));
  return result.rows as R[];
}

function nativeOf(builder: Knex.QueryBuilder | Knex.Raw): [string, readonly unknown[]] {
  const { sql, bindings } = builder.toSQL().toNative();
  return [sql, bindings];
}

/** Returns whether the session must be destroyed after this error. */
function spoilsSession(error: unknown): boolean {
  if (error instanceof ReadOnlyServer) return true;
  if (!(error instanceof pg.DatabaseError)) return connectionFault(error);
  const isReadOnly = error.code === '25006'; // the former primary after a failover
  return error.severity === 'FATAL' || error.severity === 'PANIC' || isReadOnly || stalePlan(error);
}

/** A migration changed the columns of a prepared statement. A new connection prepares it again. */
function stalePlan(error: unknown): boolean {
  return sqlState(error) === '0A000' && (error as Error).message.includes('cached plan');
}

function worthRepeating(error: unknown): boolean {
  const code = sqlState(error);
  return code === '40001' || code === '40P01' || stalePlan(error);
}
