import type { FileItem } from './item-rules';
import { readItem, type ItemContext } from './item-shape';

/** Maximum length of a line in UTF-16 units. Limits memory for a file without line breaks. */
const lineLimit = 1024 * 1024;

/**
 * Checks newline-delimited JSON that arrives in pieces, one `{ value, labels }` per line, and yields its
 * items in batches, in order. Blank lines are skipped. Errors name the line, from 1, and the path within the
 * item.
 */
export async function* ndjsonItems(
  chunks: AsyncIterable<string> | Iterable<string>,
  context: ItemContext,
): AsyncGenerator<FileItem[]> {
  let line = 0;
  const read = (texts: readonly string[]): FileItem[] => {
    const items: FileItem[] = [];
    for (const text of texts) {
      line++;
      const item = readLine(line === 1 ? withoutBom(text) : text, line, context);
      if (item !== null) items.push(item);
    }
    return items;
  };
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    yield read(lines);
    if (rest.length > lineLimit) {
      const message = `The line is longer than ${lineLimit.toLocaleString('en')} characters.`;
      context.faults.stop({ line: line + 1, column: null, field: null, code: 'line_too_long', message });
    }
  }
  yield read([rest]);
}

function readLine(text: string, line: number, context: ItemContext): FileItem | null {
  if (/^[ \t\r]*$/.test(text)) return null;
  const at = (field: string) => ({ line, column: null, field: field === '' ? null : field });
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    context.faults.add({ ...at(''), code: 'json_invalid', message: 'The line is not valid JSON.' });
    return null;
  }
  const item = readItem(raw, at, context);
  const place = (key: string) => at(key === 'value' ? 'value' : `labels.${key}`);
  return item !== null && context.rules.check(item, line, place, 'line') ? item : null;
}

function withoutBom(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
