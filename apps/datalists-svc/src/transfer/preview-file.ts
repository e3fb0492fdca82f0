import type { Database } from '@canvass/postgres';
import { isBlank } from '@canvass/service-kit';
import { findList, labelKeyOf, localesOf, type LocaleCatalog } from '../catalog';
import { firstSheet, WorkbookError } from '../workbook';
import { isSeparatorLine, separatorOf, type FileFormat } from './csv-dialect';
import { cellsOf, withWholeLine } from './csv-items';
import { CsvRecordReader } from './csv-records';
import { FaultList } from './faults';
import type { TableSource } from './import-source';

/** The beginning of a table, as an import would read it. */
export interface FilePreview {
  file: FileFormat;
  columns: PreviewColumn[];
  /** Cells of the first rows below the header. */
  rows: string[][];
}

export interface PreviewColumn {
  name: string;
  /** What an import takes the column for: `value`, `default`, a locale; null if it must be mapped. */
  key: string | null;
}

const maxRows = 20;
/** As many as can be mapped. */
const maxColumns = 200;
const maxText = 200;

/**
 * Reads the header and the first rows of a file. Nothing is checked but that it can be read.
 *
 * @throws {Problem} `not_found`; `import_rejected` for a file that cannot be read
 */
export async function previewFile(
  db: Database,
  list: { tenantId: string; id: string },
  source: TableSource,
): Promise<FilePreview> {
  const locales = localesOf(await findList(db, list.tenantId, list.id));
  const file: FileFormat = { format: source.format, encoding: null, separator: null, sheet: null };
  const faults = new FaultList();
  const table: string[][] = [];
  for await (const rows of source.format === 'csv'
    ? csvRows(source, file, faults)
    : sheetRows(source, file, faults)) {
    table.push(...rows.filter((cells) => !cells.every(isBlank)).slice(0, maxRows + 1 - table.length));
    if (table.length > maxRows) break;
  }
  const [header = [], ...rows] = table;
  const short = (cells: string[]) => cells.slice(0, maxColumns).map((cell) => cell.slice(0, maxText));
  return {
    file,
    columns: short(header).map((name) => ({ name, key: keyOf(locales, name.trim().toLowerCase()) })),
    rows: rows.map(short),
  };
}

const keyOf = (list: LocaleCatalog, name: string): string | null =>
  name === 'value' ? name : labelKeyOf(list, name);

async function* csvRows(
  source: Extract<TableSource, { format: 'csv' }>,
  file: FileFormat,
  faults: FaultList,
): AsyncGenerator<string[][]> {
  let reader: CsvRecordReader | undefined;
  let separator = separatorOf('', () => false);
  const rowsOf = (records: ReturnType<CsvRecordReader['push']>) => [
    ...cellsOf(
      records.filter(
        ({ line, text, faults: own }) => own.length === 0 && !(line === 1 && isSeparatorLine(text)),
      ),
      separator,
    ),
  ];
  for await (const chunk of withWholeLine(source.open(faults, file))) {
    if (reader === undefined) {
      separator = separatorOf(chunk.split(/[\r\n]/, 1)[0]!, (name) => name === 'value' || name === 'default');
      file.separator = separator;
      reader = new CsvRecordReader(separator);
    }
    yield rowsOf(reader.push(chunk));
  }
  if (reader !== undefined) yield rowsOf(reader.end());
}

async function* sheetRows(
  source: Extract<TableSource, { format: 'xlsx' }>,
  file: FileFormat,
  faults: FaultList,
): AsyncGenerator<string[][]> {
  try {
    const sheet = await firstSheet(await source.open(), source.maxBytes);
    file.sheet = sheet.name;
    for await (const rows of sheet.rows()) yield rows.map(({ cells }) => cells);
  } catch (error) {
    if (!(error instanceof WorkbookError)) throw error;
    faults.stop({ ...error.place, field: null, code: error.code, message: error.message });
  }
}
