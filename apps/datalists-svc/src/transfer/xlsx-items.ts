import { isBlank } from '@canvass/service-kit';
import { firstSheet, WorkbookError } from '../workbook';
import type { FileFormat } from './csv-dialect';
import type { FileItem } from './item-rules';
import { ItemTable, type TableContext } from './item-table';

/** Maximum length of the first row with text, in characters. */
const headerLimit = 64 * 1024;

/**
 * Checks the first sheet of a workbook (`.xlsx`) and yields its items in batches, in order. The header is the
 * first row with text, as in CSV. Rows without text are skipped.
 *
 * @param maxBytes of the parts of the workbook that are read, unpacked
 */
export async function* xlsxItems(
  open: () => Promise<Buffer>,
  context: TableContext,
  { file, maxBytes }: { file: FileFormat; maxBytes: number },
): AsyncGenerator<FileItem[]> {
  const { faults } = context;
  const table = new ItemTable(context, 'row');
  let isHeader = true;
  try {
    const sheet = await firstSheet(await open(), maxBytes);
    file.sheet = sheet.name;
    faults.sheet = sheet.name;
    for await (const rows of sheet.rows()) {
      const items: FileItem[] = [];
      for (const { line, cells, errors } of rows) {
        if (cells.every(isBlank)) continue;
        if (isHeader && cells.join('').length > headerLimit)
          throw new WorkbookError('row_too_long', 'The header is too long.', { line, column: null });
        isHeader = false;
        const item = table.item(cells, line, errors);
        if (item !== null) items.push(item);
      }
      yield items;
    }
  } catch (error) {
    if (!(error instanceof WorkbookError)) throw error;
    faults.stop({ ...error.place, field: null, code: error.code, message: error.message });
  }
  table.end();
}
