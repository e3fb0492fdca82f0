import { Problem } from '@canvass/errors';
import type { Database, Queryable } from '@canvass/postgres';
import { columnsOf, countPresent, hasRows, insertRows } from './archive.sql';
import { fault, inspect, rowsOf, type Inspected } from './read-archive';
import { tenantColumnOf, type ArchivedTable, type ArchiveHead } from './tables';

/** The limits of a transaction. A service with less imports all of it or none. */
const maxRows = 5_000;
const maxCharacters = 8 * 1024 * 1024;

export interface ImportOptions {
  service: string;
  file: string;
  /** An existing tenant that gets the rows; by default the one of the archive, which must not exist. */
  tenantId?: string | undefined;
  /** The number of administrators the archive must bring, of the service that has accounts. */
  administrators: number;
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
 * Inserts the rows of an archive, in committed batches, after all of it was checked. Rows that are there stay
 * as they are, so an import that was interrupted can be repeated. Emits no events. Returns the number of rows
 * by table.
 *
 * @throws {Problem} `validation_failed` with the line for a file that is no such archive; `conflict` for a
 * tenant that was not named, other administrators than were announced, or a row that cannot be inserted
 * because of another row
 */
export async function importTenant(
  db: Database,
  options: ImportOptions,
  tables: readonly ArchivedTable[],
): Promise<Inspected & { tenantId: string; counts: Record<string, Counts> }> {
  const { file, service } = options;
  const inspected = await inspect(file, service, tables);
  const tenantId = options.tenantId ?? inspected.head.tenantId;
  await assertTenant(db, tables, tenantId, options.tenantId !== undefined);
  if (tables.some(({ administratorOf }) => administratorOf !== undefined))
    assertAdministrators(inspected, options.administrators);
  const importer = await importerOf(db, inspected.head, tenantId, tables);
  for await (const { table, row } of rowsOf(file)) await importer.add(table, row);
  return { ...inspected, tenantId, counts: await importer.done() };
}

/** An archive comes from outside: without a name it gets no access to a tenant that is here. */
async function assertTenant(
  db: Database,
  tables: readonly ArchivedTable[],
  tenantId: string,
  isNamed: boolean,
): Promise<void> {
  const existing = await Promise.all(tables.map((table) => db.query(hasRows(table), [tenantId])));
  if (!isNamed && existing.some((rows) => rows.length > 0))
    throw new Problem('conflict', {
      detail: `The tenant ${tenantId} exists here. To add to it, also after an interrupted import, pass --tenant ${tenantId}.`,
    });
  const own = tables.findIndex(({ key }) => key.length === 0);
  if (isNamed && own >= 0 && existing[own]!.length === 0)
    throw new Problem('conflict', {
      detail: `There is no tenant ${tenantId}. Without --tenant the one of the archive is made.`,
    });
}

function assertAdministrators({ name, administrators }: Inspected, announced: number): void {
  const count = administrators.length;
  if (count === announced) return;
  const tenant = name === null ? 'the tenant' : JSON.stringify(name);
  const named = `${administrators.slice(0, 20).join(', ')}${count > 20 ? ', …' : ''}`;
  const found =
    count === 0
      ? 'no administrator; leave --administrators out'
      : `${count} administrators: ${named}. If that is right, pass --administrators ${count}`;
  throw new Problem('conflict', {
    detail: `Nothing was imported. The archive of ${tenant} brings ${found}.`,
  });
}

/** Collects rows and inserts them together. */
class Importer {
  readonly #counts: Record<string, Counts> = {};
  /** Rows of one table after the other, as in the file: parents come before children. */
  #batch: { table: string; rows: object[] }[] = [];
  #rows = 0;
  #characters = 0;

  constructor(
    private readonly db: Database,
    private readonly insertions: ReadonlyMap<string, Insert>,
  ) {}

  async add(table: string, row: object): Promise<void> {
    if (this.#batch.at(-1)?.table !== table) this.#batch.push({ table, rows: [] });
    this.#batch.at(-1)!.rows.push(row);
    this.#rows += 1;
    this.#characters += JSON.stringify(row).length;
    if (this.#rows >= maxRows || this.#characters >= maxCharacters) await this.#flush();
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
  tenantId: string,
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
  return new Importer(db, insertions);
}
