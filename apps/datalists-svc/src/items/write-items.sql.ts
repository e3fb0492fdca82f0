import type { Tx } from '@canvass/postgres';
import type { ItemsVersion } from './items.sql';

const copy = 'copy items (tenant_id, list_id, version, position, value, labels) from stdin';

/** A million items take longer than other statements may. */
export const maxWriteMs = 3_600_000;

/** Writes items with COPY. `lines` are of `linesOf`. */
export async function copyLines(tx: Tx, lines: readonly Buffer[]): Promise<void> {
  await tx.limitStatements(maxWriteMs);
  await tx.copyIn(copy, inTurn(lines));
}

/** Items of a version as lines of COPY in its text format. `first` is the position of the first item. */
export function linesOf(
  { tenantId, listId, version }: ItemsVersion,
  first: number,
  items: readonly { value: string; labels: Record<string, string | null> }[],
): Buffer {
  const start = `${tenantId}\t${listId}\t${version}\t`;
  let rows = '';
  for (const [index, { value, labels }] of items.entries()) {
    rows += `${start}${first + index}\t${escaped(value)}\t${escaped(JSON.stringify(labels))}\n`;
  }
  return Buffer.from(rows);
}

async function* inTurn(lines: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const piece of lines) yield await Promise.resolve(piece);
}

const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escaped(text: string): string {
  return special.test(text) ? text.replace(/[\\\t\n\r]/g, (sign) => escapes[sign]!) : text;
}
