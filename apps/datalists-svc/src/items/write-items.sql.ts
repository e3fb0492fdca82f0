import type { DataListItem } from '@canvass/contracts';
import type { Tx } from '@canvass/postgres';
import type { ItemsVersion } from './items.sql';

const copy = 'copy items (tenant_id, list_id, version, position, value, labels) from stdin';

/**
 * Writes all items of a new version in order with COPY. An error of `batches` ends the copy and is rethrown.
 */
export async function writeItems(
  tx: Tx,
  to: ItemsVersion,
  batches: AsyncIterable<readonly DataListItem[]>,
): Promise<void> {
  // An upload may take long. A stalled client is handled by the reader.
  await tx.query('set local statement_timeout = 0');
  await tx.copyIn(copy, copyText(to, batches));
}

/** Rows in the text format of COPY; a batch is a chunk. */
async function* copyText(
  { tenantId, listId, version }: ItemsVersion,
  batches: AsyncIterable<readonly DataListItem[]>,
): AsyncGenerator<Buffer> {
  const start = `${tenantId}\t${listId}\t${version}\t`;
  let position = 0;
  for await (const batch of batches) {
    let rows = '';
    for (const { value, labels } of batch) {
      rows += `${start}${position++}\t${escaped(value)}\t${escaped(JSON.stringify(labels))}\n`;
    }
    if (rows !== '') yield Buffer.from(rows);
  }
}

const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escaped(text: string): string {
  return special.test(text) ? text.replace(/[\\\t\n\r]/g, (sign) => escapes[sign]!) : text;
}
