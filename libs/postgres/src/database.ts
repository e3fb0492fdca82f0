import type { Knex } from 'knex';
import type pg from 'pg';
import type { Statement } from './statement';

/** What runs SQL: a database (each call on any connection) or a transaction (all calls on one). */
export interface Queryable {
  /** Rows of one statement. `bigint` and `numeric` come as strings, `timestamptz` as Date, `date` as `YYYY-MM-DD`. */
  query<R>(sql: string | Statement, values?: readonly unknown[]): Promise<R[]>;
  /** Rows of what `kx` built. */
  run<R>(builder: Knex.QueryBuilder | Knex.Raw): Promise<R[]>;
}

/** An open transaction; of no use after the function it was given to has ended. Await one query before the next. */
export interface Tx extends Queryable {
  /**
   * Streams rows into a table by `sql`, a `copy ... from stdin`, as fast as Postgres takes them, and waits for it to have
   * them all. What `chunks` throws ends the copy and is thrown on. Copies stay under `statement_timeout` as any statement.
   */
  copyIn(sql: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Runs `fn` once the transaction is committed, and not at all if it is rolled back. What it throws is only reported. */
  afterCommit(fn: () => void): void;
}

/** What also opens transactions: a database, or an open transaction in the place of one (`within`). */
export interface Transactor extends Queryable {
  /**
   * Commits what `fn` did and gives its result; rolls back if it throws. `fn` may run up to four times: serialization
   * failures (40001) and deadlocks (40P01) are tried again, so it must do nothing but SQL.
   */
  transaction<T>(fn: (tx: Tx) => Promise<T>): Promise<T>;
}

export interface Database extends Transactor {
  /** For what needs a session of its own: COPY, cursors, session advisory locks. A client that broke is thrown away. */
  withClient<T>(fn: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** Asks Postgres for an answer; throws if there is none within `timeoutMs` (2,000). */
  ping(timeoutMs?: number): Promise<void>;
  /** Waits for the calls in flight; further ones fail. */
  close(): Promise<void>;
  readonly pool: pg.Pool;
}
