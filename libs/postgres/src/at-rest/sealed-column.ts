import type { Database, Queryable } from '../database';

/** What is needed of a box (`SecretBox` of @canvass/auth has more). */
export interface Box {
  seal(plain: string, context: string): string;
  open(sealed: string, context: string): string;
  /** Whether it was sealed with another key than the one that seals now. */
  isStale(sealed: string): boolean;
}

/** Seals a text anew where an older key sealed it; the same text where not. */
export const sealedAnew = (box: Box, sealed: string, context: string): string =>
  box.isStale(sealed) ? box.seal(box.open(sealed, context), context) : sealed;

/** A column of a service's table that is sealed, or holds sealed texts within its own. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The primary key. */
  key: readonly string[];
  /** The value with all that is sealed in it sealed anew; the same text where nothing is stale. `row` has the key's columns as texts. */
  renew(value: string, row: Readonly<Record<string, string>>): string;
}

/** What a run did; a type and not an interface, so that it can be logged as it is. */
export type Renewal = {
  /** Rows that were written. */
  renewed: number;
  /** Rows that do not open: the key that sealed them is not configured any more. */
  unreadable: number;
};

const rowsAtOnce = 200;

/**
 * Writes anew what an older key sealed, a few rows at a time beside whoever else writes: a row that somebody changes
 * meanwhile is left alone, since it was sealed with the new key by that.
 */
async function renewColumn(
  db: Pick<Queryable, 'query'>,
  { table, column, key, renew }: SealedColumn,
): Promise<Renewal> {
  const done: Renewal = { renewed: 0, unreadable: 0 };
  const keys = key.join(', ');
  const isRow = key.map((name, at) => `${name}::text = $${at + 3}`).join(' and ');
  let after: string[] = [];
  for (;;) {
    const parameters = key.map((name, at) => `$${at + 1}`).join(', ');
    const rows = await db.query<Record<string, string>>(
      `select ${key.map((name) => `${name}::text`).join(', ')}, ${column}::text as sealed_value from ${table}
       where ${column} is not null ${after.length > 0 ? `and (${keys}) > (${parameters})` : ''}
       order by ${key.map((name) => `${table}.${name}`).join(', ')} limit ${rowsAtOnce}`,
      after,
    );
    for (const row of rows) {
      const value = row['sealed_value']!;
      const fresh = renewed(value, row, renew);
      if (fresh === null) done.unreadable += 1;
      if (fresh === null || fresh === value) continue;
      const written = await db.query(
        `update ${table} set ${column} = $2 where ${column}::text = $1 and ${isRow} returning true`,
        [value, fresh, ...key.map((name) => row[name])],
      );
      done.renewed += written.length;
    }
    if (rows.length < rowsAtOnce) return done;
    after = key.map((name) => rows.at(-1)![name]!);
  }
}

function renewed(value: string, row: Record<string, string>, renew: SealedColumn['renew']): string | null {
  try {
    return renew(value, row);
  } catch {
    return null;
  }
}

export interface ResealerOptions {
  db: Pick<Database, 'query'>;
  columns: readonly SealedColumn[];
  /** Told of each time something was written or could not be opened, and of the first time in any case. */
  onDone(renewal: Renewal): void;
  onError(error: unknown): void;
}

/** Copies of the service that were not restarted yet go on sealing with the old key for a while. */
const everyMs = 60 * 60_000;
const afterFailureMs = 60_000;

export interface Resealer {
  start(): void;
  stop(): void;
}

/** Seals anew what older encryption keys sealed: at the start, then every hour. */
export function createResealer({ db, columns, onDone, onError }: ResealerOptions): Resealer {
  let timer: NodeJS.Timeout | undefined;
  let told = false;
  async function run(): Promise<void> {
    const total: Renewal = { renewed: 0, unreadable: 0 };
    for (const column of columns) {
      const { renewed, unreadable } = await renewColumn(db, column);
      total.renewed += renewed;
      total.unreadable += unreadable;
    }
    if (!told || total.renewed + total.unreadable > 0) onDone(total);
    told = true;
  }
  let stopped = false;
  async function repeat(): Promise<void> {
    const failed = await run().then(
      () => false,
      (error: unknown) => (stopped || onError(error), true),
    );
    if (!stopped) timer = setTimeout(() => void repeat(), failed ? afterFailureMs : everyMs).unref();
  }
  return {
    start: () => void repeat(),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
