import type { Knex } from 'knex';
import type pg from 'pg';
import type { Sql } from './statement';

/** Runs SQL: a database (each call on any connection) or a transaction (all calls on one connection). */
export interface Queryable {
  /**
   * The rows of a statement, or of SQL with positional parameters and their values. `bigint` and `numeric`
   * are strings, `timestamptz` is a Date, `date` is `YYYY-MM-DD`.
   */
  query<R>(sql: Sql<R>, values?: readonly unknown[]): Promise<R[]>;
  /** The rows of a `kx` query. */
  run<R>(builder: Knex.QueryBuilder | Knex.Raw): Promise<R[]>;
}

/** An open transaction. Do not use it after its function has ended, and await each query before the next. */
export interface Tx extends Queryable {
  /**
   * Streams rows into a table with `sql`, a `copy ... from stdin`, and waits until Postgres has them all. An
   * error of `chunks` ends the copy and is rethrown. The limit of statements applies.
   */
  copyIn(sql: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** The limit of later statements of this transaction in milliseconds, in place of `StatementTimeoutMs`. */
  limitStatements(ms: number): Promise<void>;
  /** Runs `fn` after the commit; not after a rollback. Its errors are only reported. */
  afterCommit(fn: () => void): void;
}

/** Opens transactions: a database, or an open transaction in its place (`within`). */
export interface Transactor extends Queryable {
  /**
   * Commits the changes of `fn` and returns its result; rolls back if it throws. `fn` runs up to four times,
   * because serialization failures (40001) and deadlocks (40P01) are retried. It must do nothing but SQL.
   */
  transaction<T>(fn: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

export interface TransactionOptions {
  /** The limit as in `limitStatements`, from the beginning. It takes no statement of its own. */
  maxStatementMs?: number;
}

/** A connection that lasts until it is ended. Await each query before the next. */
export type Session = pg.Client;

export interface Database extends Transactor {
  /**
   * A session of its own, past a pooler, with the limits of the pool: for locks and settings that outlive a
   * transaction. The caller ends it.
   *
   * @param purpose shown in `pg_stat_activity` after the name of the application
   * @param answerMs a query without a response within this time fails and spoils the session; by default
   * `StatementTimeoutMs` and 5 s more
   */
  openSession(purpose: string, answerMs?: number): Promise<Session>;
  /**
   * Serves work that needs one connection: COPY, cursors. Behind a pooler it is only in a transaction the
   * same session. A broken client is destroyed.
   */
  withClient<T>(fn: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /**
   * Queries Postgres; throws if there is no response within `timeoutMs` (2,000), or if the server is
   * read-only.
   */
  ping(timeoutMs?: number): Promise<void>;
  /** Milliseconds since a call last had a response, or since the start. */
  silentMs(): number;
  /** SQLSTATE of the last refused login, null once a new connection was opened. Older ones go on working. */
  refusedLogin(): string | null;
  /** Waits for running calls. Later calls fail. */
  close(): Promise<void>;
  readonly pool: pg.Pool;
}
