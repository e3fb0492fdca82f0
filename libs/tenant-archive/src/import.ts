import { Problem } from '@canvass/errors';
import type { Database, Queryable } from '@canvass/postgres';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { columnsOf, countPresent, insertRows } from './archive.sql';
import { tenantColumnOf, type ArchivedTable, type ArchiveHead } from './tables';

/** Of a transaction. A service with less imports all of it or none. */
const mostRows = 5_000;
const mostCharacters = 8 * 1024 * 1024;

export interface ImportOptions {
  service: string;
  file: string;
  /** The tenant that gets the rows; by default the one of the archive. */
  tenantId?: string | undefined;
}

/** Rows of a table in an archive. */
interface Counts {
  rows: number;
  /** The others existed before. */
  inserted: number;
}

/** Inserts rows of a table and returns how many did not exist. @throws {Problem} `conflict` */
type Insert = (tx: Queryable, rows: readonly object[]) => Promise<number>;

/**
 * Inserts the rows of an archive, in committed batches. Rows that are there stay as they are, so an import
 * that was interrupted can be repeated. Emits no events. Returns the number of rows by table.
 *
 * @throws {Problem} `validation_failed` with the line for a file that is no such archive; `conflict` for a
 * row that cannot be inserted because of another row
 */
export async function importTenant(
  db: Database,
  options: ImportOptions,
  tables: readonly ArchivedTable[],
): Promise<{ tenantId: string; counts: Record<string, Counts> }> {
  let importer: Importer | undefined;
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(options.file), crlfDelay: Infinity })) {
    number += 1;
    const value = parse(line, number);
    if (importer === undefined)
      importer = await importerOf(db, headOf(value, options.service), options, tables);
    else await importer.add(value, number);
  }
  if (importer === undefined) throw fault(1, 'the file is empty');
  return { tenantId: importer.tenantId, counts: await importer.done() };
}

/** Collects rows and inserts them together. */
class Importer {
  readonly #counts: Record<string, Counts> = {};
  /** Rows of one table after the other, as in the file: parents come before children. */
  #batch: { table: string; rows: object[] }[] = [];
  #rows = 0;
  #characters = 0;

  constructor(
    readonly tenantId: string,
    private readonly db: Database,
    private readonly insertions: ReadonlyMap<string, Insert>,
  ) {}

  async add(value: object, line: number): Promise<void> {
    const { table, row } = value as { table?: unknown; row?: unknown };
    if (typeof table !== 'string' || !this.insertions.has(table))
      throw fault(line, `"table" must be one of ${[...this.insertions.keys()].join(', ')}`);
    if (typeof row !== 'object' || row === null) throw fault(line, '"row" must be an object');
    if (this.#batch.at(-1)?.table !== table) this.#batch.push({ table, rows: [] });
    this.#batch.at(-1)!.rows.push(row);
    this.#rows += 1;
    this.#characters += JSON.stringify(row).length;
    if (this.#rows >= mostRows || this.#characters >= mostCharacters) await this.#flush();
  }

  async done(): Promise<Record<string, Counts>> {
    await this.#flush();
    return this.#counts;
  }

  async #flush(): Promise<void> {
    const inserted = await this.db.transaction(async (tx) => {
      const numbers: number[] = [];
      for (const { table, rows } of this.#batch) numbers.push(await this.insertions.get(table)!(tx, rows));
      return numbers;
    });
    for (const [n, { table, rows }] of this.#batch.entries()) {
      const counts = (this.#counts[table] ??= { rows: 0, inserted: 0 });
      counts.rows += rows.length;
      counts.inserted += inserted[n]!;
    }
    [this.#batch, this.#rows, this.#characters] = [[], 0, 0];
  }
}

async function importerOf(
  db: Database,
  head: ArchiveHead,
  { tenantId = head.tenantId }: ImportOptions,
  tables: readonly ArchivedTable[],
): Promise<Importer> {
  const insertions = new Map<string, Insert>();
  for (const table of tables) {
    const columns = head.tables[table.name];
    if (columns === undefined) continue;
    const known = new Set((await columnsOf(db, table.name)).map(({ name }) => name));
    const unknown = columns.find((name) => !known.has(name) || table.without?.includes(name));
    if (unknown !== undefined)
      throw fault(
        1,
        `${table.name}.${unknown} is not known here: import with a version as new as the export`,
      );
    const values = (await table.fill?.()) ?? {};
    const insert = insertRows(table, columns, Object.keys(values));
    const count = countPresent(table);
    insertions.set(table.name, async (tx, rows) => {
      const text = JSON.stringify(rows);
      const [inserted] = await tx.query<{ count: number }>(insert, [text, tenantId, JSON.stringify(values)]);
      const [present] = await tx.query<{ count: number }>(count, [text, tenantId]);
      if (present!.count === rows.length) return inserted!.count;
      throw new Problem('conflict', {
        detail: `${rows.length - present!.count} rows of ${table.name} are in conflict with other rows of this installation. The batch with them was not inserted.`,
      });
    });
    if (!columns.includes(tenantColumnOf(table)))
      throw fault(1, `${table.name} lacks the column ${tenantColumnOf(table)}`);
  }
  return new Importer(tenantId, db, insertions);
}

function headOf(value: object, service: string): ArchiveHead {
  const head = value as Partial<ArchiveHead>;
  if (head.format !== 'canvass-tenant' || head.formatVersion !== 1)
    throw fault(1, 'this is no archive of a tenant in format version 1');
  if (head.service !== service) throw fault(1, `this is an archive of ${String(head.service)}`);
  if (!/^[1-9]\d{0,18}$/.test(head.tenantId ?? '')) throw fault(1, '"tenantId" must be an id');
  const isList = (columns: unknown) =>
    Array.isArray(columns) && columns.every((name) => typeof name === 'string');
  if (typeof head.tables !== 'object' || head.tables === null || !Object.values(head.tables).every(isList))
    throw fault(1, '"tables" must have the columns of each table');
  return head as ArchiveHead;
}

function parse(line: string, number: number): object {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw fault(number, 'this is not JSON');
  }
  if (typeof value !== 'object' || value === null) throw fault(number, 'this is no object');
  return value;
}

const fault = (line: number, reason: string) =>
  new Problem('validation_failed', { detail: `Line ${line}: ${reason}.` });
