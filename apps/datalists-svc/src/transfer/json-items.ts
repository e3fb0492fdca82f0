import type { FileItem } from './item-rules';
import { readItem, type ItemContext } from './item-shape';

const batchSize = 500;

/**
 * Checks the `items` of a JSON import and yields the valid ones in batches, in order. Errors name the JSON
 * path.
 */
export async function* jsonItems(
  items: readonly unknown[],
  context: ItemContext,
): AsyncGenerator<FileItem[]> {
  for (let start = 0; start < items.length; start += batchSize) {
    const batch: FileItem[] = [];
    for (const [offset, raw] of items.slice(start, start + batchSize).entries()) {
      const index = start + offset;
      const at = (path: string) => ({ line: null, column: null, field: `items[${index}]${path}` });
      const item = readItem(raw, (member) => at(member === '' ? '' : `.${member}`), context);
      const place = (key: string) => at(key === 'value' ? '.value' : `.labels.${key}`);
      if (item !== null && context.rules.check(item, index, place, 'item')) batch.push(item);
    }
    yield batch;
  }
}
