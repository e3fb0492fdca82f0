import { Problem } from '@canvass/errors';
import { Validation } from '@canvass/service-kit';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { tenantColumnOf, type ArchivedRow, type ArchivedTable, type ArchiveHead } from './tables';

/** The content of an archive, of a file whose rows all keep the rules. */
export interface Inspected {
  head: ArchiveHead;
  /** Name of the tenant, if it is in the archive. */
  name: string | null;
  /** Names of the accounts with the rights of an administrator. */
  administrators: string[];
}

/** @throws {Problem} `validation_failed` for a file that is no such archive */
export async function readHead(file: string, service: string): Promise<ArchiveHead> {
  for await (const [value] of linesOf(file)) return headOf(value, service);
  throw fault(1, 'the file is empty');
}

/** The rows of a file that was inspected, in its order. */
export async function* rowsOf(file: string): AsyncGenerator<{ table: string; row: ArchivedRow }> {
  for await (const [value, line] of linesOf(file))
    if (line > 1) yield value as { table: string; row: ArchivedRow };
}

/**
 * Reads a whole archive before any of it is imported.
 *
 * @throws {Problem} `validation_failed` with the line for a file that is no such archive, or a row that
 * breaks a rule or belongs to another tenant
 */
export async function inspect(
  file: string,
  service: string,
  tables: readonly ArchivedTable[],
): Promise<Inspected> {
  const head = await readHead(file, service);
  const known = new Map(tables.filter(({ name }) => name in head.tables).map((table) => [table.name, table]));
  const found: Inspected = { head, name: null, administrators: [] };
  for await (const [value, line] of linesOf(file)) {
    if (line === 1) continue;
    const { table: name, row } = value as { table?: string; row?: unknown };
    const table = known.get(name ?? '');
    if (table === undefined) throw fault(line, `"table" must be one of ${[...known.keys()].join(', ')}`);
    if (typeof row !== 'object' || row === null) throw fault(line, '"row" must be an object');
    assertRules(table, row as ArchivedRow, head, line);
    if (table.key.length === 0) found.name = String((row as ArchivedRow)['name']);
    const administrator = table.administratorOf?.(row as ArchivedRow) ?? null;
    if (administrator !== null) found.administrators.push(administrator);
  }
  return found;
}

function assertRules(table: ArchivedTable, row: ArchivedRow, head: ArchiveHead, line: number): void {
  const column = tenantColumnOf(table);
  if (String(row[column]) !== head.tenantId)
    throw fault(line, `${table.name}.${column} is not the tenant ${head.tenantId} of line 1`);
  const validation = new Validation();
  validation.check(table.rules, row, 'body');
  try {
    validation.done();
  } catch (error) {
    const [[path, [rule]] = ['', ['']]] = Object.entries((error as Problem).errors ?? {});
    throw fault(line, `${table.name}.${path} ${rule}`);
  }
}

async function* linesOf(file: string): AsyncGenerator<[value: object, line: number]> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    number += 1;
    yield [parse(line, number), number];
  }
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

/** Describes what is wrong with a line. */
export const fault = (line: number, reason: string) =>
  new Problem('validation_failed', { detail: `Line ${line}: ${reason}.` });
