import type pg from 'pg';
import { answerLimit, limitedTo } from './answer-limit';
import type { Database } from './database';
import { connectFairly, turnOf } from './shares';

/** Target size of a batch in characters. A row may be larger. */
const batchSize = 256 * 1024;
const firstBatch = 8;
const maxBatch = 1024;
const maxStatementMs = 5 * 60_000;
/** A reader that pauses longer counts as gone. */
const settings = `
  set local idle_in_transaction_session_timeout = '5min';
  set local statement_timeout = ${maxStatementMs};
  set local client_connection_check_interval = '1s'`;

export interface LongQuery {
  sql: string;
  /** The parameters $1, $2, …. */
  values: readonly unknown[];
}

/**
 * The rows of a query of any length at constant memory, each an array of texts. It uses a cursor in a
 * read-only transaction, so all rows are from one snapshot. One batch is fetched while the reader consumes
 * the one before. The first batches are small; later ones hold about `batchSize` characters.
 *
 * Abort `signal` when the rows are not needed any more: the connection is closed at once, and Postgres
 * notices within a second, even during a sort.
 */
export async function* readInBatches<Row extends (string | null)[]>(
  { pool }: Pick<Database, 'pool'>,
  { sql, values }: LongQuery,
  signal: AbortSignal,
): AsyncGenerator<Row[]> {
  const giveBack = await turnOf(pool, 'export', signal);
  let client: pg.PoolClient | undefined;
  let isWhole = false;
  const run = <R extends unknown[]>(text: string, parameters?: readonly unknown[]) =>
    client!.query<R>(
      limitedTo(answerLimit(maxStatementMs), { text, values: parameters as unknown[], rowMode: 'array' }),
    );
  // During a query this closes the socket, which fails the query.
  const cut = () => void client?.end().catch(() => undefined);
  signal.addEventListener('abort', cut, { once: true });
  try {
    client = await connectFairly(pool);
    signal.throwIfAborted();
    await run(`begin read only; ${settings}`);
    await run(`declare rows no scroll cursor for ${sql}`, values);
    let size = firstBatch;
    const fetch = () => run<Row>(`fetch forward ${size} from rows`);
    for (let next = fetch(), isLast = false; !isLast;) {
      const { rows } = await next;
      signal.throwIfAborted();
      isLast = rows.length < size;
      if (!isLast) {
        size = Math.min(maxBatch, size * 2, Math.max(1, Math.floor(batchSize / averageOf(rows))));
        next = fetch();
        next.catch(() => undefined); // thrown where it is awaited, unless the reader stops before
      }
      if (rows.length > 0) yield rows;
    }
    await run('commit');
    isWhole = true;
  } finally {
    signal.removeEventListener('abort', cut);
    client?.release(!isWhole);
    giveBack();
  }
}

const sizeOf = (row: (string | null)[]): number =>
  row.reduce((sum, text) => sum + (text === null ? 0 : text.length), 0);

const averageOf = (rows: (string | null)[][]): number =>
  rows.reduce((sum, row) => sum + sizeOf(row), 1) / rows.length;

/**
 * The texts of a query with one text column, concatenated, as bytes of UTF-8. The rest is as in
 * `readInBatches`.
 */
export async function* readTexts(
  db: Pick<Database, 'pool'>,
  query: LongQuery,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  for await (const rows of readInBatches<[string]>(db, query, signal)) yield Buffer.from(rows.join(''));
}
