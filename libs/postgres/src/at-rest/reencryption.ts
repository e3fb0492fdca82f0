import { every, type Loop } from '@canvass/async';
import type { Database, Queryable } from '../database';

/** The part of a `SecretBox` (@canvass/auth) that is needed here. */
export interface Box {
  seal(plain: string, context: string): string;
  open(sealed: string, context: string): string;
  /** Returns whether it was sealed with a key other than the newest. */
  isStale(sealed: string): boolean;
}

/** Re-encrypts a sealed text if an older key sealed it; otherwise returns it unchanged. */
export const reencrypt = (box: Box, sealed: string, context: string): string =>
  box.isStale(sealed) ? box.seal(box.open(sealed, context), context) : sealed;

/** A column with a sealed text, or with sealed texts within its value. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The primary key. */
  key: readonly string[];
  /**
   * Re-encrypts the sealed texts in the value; returns it unchanged if none is stale. `row` has the key
   * columns as text.
   */
  reencrypt(value: string, row: Readonly<Record<string, string>>): string;
}

/** The result of a run. A type, not an interface, so that it can be logged directly. */
export type ReencryptionResult = {
  /** Number of rows that were re-encrypted. */
  reencrypted: number;
  /** Number of rows that cannot be opened, because their key is not configured any more. */
  unreadable: number;
};

const rowsAtOnce = 200;

/**
 * Re-encrypts a column in small batches beside other writers. A row that changes meanwhile is skipped: its
 * writer used the new key.
 */
async function reencryptColumn(
  db: Pick<Queryable, 'query'>,
  { table, column, key, reencrypt: reencryptValue }: SealedColumn,
): Promise<ReencryptionResult> {
  const done: ReencryptionResult = { reencrypted: 0, unreadable: 0 };
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
      const fresh = orNull(() => reencryptValue(value, row));
      if (fresh === null) done.unreadable += 1;
      if (fresh === null || fresh === value) continue;
      const written = await db.query(
        `update ${table} set ${column} = $2 where ${column}::text = $1 and ${isRow} returning true`,
        [value, fresh, ...key.map((name) => row[name])],
      );
      done.reencrypted += written.length;
    }
    if (rows.length < rowsAtOnce) return done;
    after = key.map((name) => rows.at(-1)![name]!);
  }
}

function orNull(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}

export interface ReencryptionOptions {
  db: Pick<Database, 'query'>;
  columns: readonly SealedColumn[];
  /** Called after the first run, and after each run that wrote rows or found unreadable ones. */
  onDone(result: ReencryptionResult): void;
  onError(error: unknown): void;
}

/** Repeated, because replicas that were not restarted yet still seal with the old key. */
const everyMs = 60 * 60_000;
const afterFailureMs = 60_000;

/** Re-encrypts values that older keys sealed: at start, then every hour. */
export function createReencryption({ db, columns, onDone, onError }: ReencryptionOptions): Loop {
  let reported = false;
  async function run(): Promise<void> {
    const total: ReencryptionResult = { reencrypted: 0, unreadable: 0 };
    for (const column of columns) {
      const { reencrypted, unreadable } = await reencryptColumn(db, column);
      total.reencrypted += reencrypted;
      total.unreadable += unreadable;
    }
    if (!reported || total.reencrypted + total.unreadable > 0) onDone(total);
    reported = true;
  }
  return every(everyMs, run, {
    atOnce: true,
    onError(error) {
      onError(error);
      return afterFailureMs;
    },
  });
}
