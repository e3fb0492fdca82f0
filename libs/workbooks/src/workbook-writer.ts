import { rowXml, type SheetCell } from './sheet-xml';
import { ZipWriter, type ZipState } from './zip-writer';

export type { SheetCell };

/** The content type of `.xlsx`. */
export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** What must be known to continue a workbook. It can be stored as JSON. */
export interface WorkbookState {
  zip: ZipState;
  sheets: number;
  /** Rows of the last sheet with its header; 0 before the first one. */
  rows: number;
}

/** Rows of a sheet in Excel. */
const maxRows = 1_048_576;
/** Bytes of a sheet, unpacked: the archive has room for 4 GiB. */
const maxBytes = 3 * 1024 ** 3;

/**
 * Writes rows to a workbook (`.xlsx`) in pieces. After 1,048,576 rows it continues in another sheet, with the
 * header again. Times are in UTC.
 */
export class WorkbookWriter {
  private readonly zip: ZipWriter;

  constructor(
    private readonly sheetName: string,
    private readonly header: readonly string[],
    readonly state: WorkbookState = { zip: { offset: 0, entries: [] }, sheets: 0, rows: 0 },
  ) {
    this.zip = new ZipWriter(state.zip);
  }

  /** The next bytes of the file, with these rows. */
  async write(rows: readonly (readonly SheetCell[])[]): Promise<Buffer> {
    const { state } = this;
    const pieces: Buffer[] = [];
    if (state.sheets === 0) pieces.push(...(await this.begin()));
    for (let at = 0; at < rows.length;) {
      if (state.rows >= maxRows || state.zip.entries.at(-1)!.size > maxBytes)
        pieces.push(...(await this.endSheet()), ...(await this.beginSheet()));
      const some = rows.slice(at, at + maxRows - state.rows);
      pieces.push(
        await this.zip.add(Buffer.from(some.map((cells, n) => rowXml(cells, state.rows + n + 1)).join(''))),
      );
      state.rows += some.length;
      at += some.length;
    }
    return Buffer.concat(pieces);
  }

  /** The last bytes of the file. */
  async end(): Promise<Buffer> {
    const sheets = Array.from({ length: this.state.sheets }, (_, n) => n + 1);
    const nameOf = (n: number) => (n === 1 ? this.sheetName : `${this.sheetName} ${n}`);
    const list = sheets.map((n) => `<sheet name="${nameOf(n)}" sheetId="${n}" r:id="rId${n}"/>`);
    const targets = sheets.map((n) => relation(`rId${n}`, 'worksheet', `worksheets/sheet${n}.xml`));
    return Buffer.concat([
      ...(await this.endSheet()),
      ...(await this.part(
        'xl/workbook.xml',
        `<workbook xmlns="${main}" xmlns:r="${relations}"><bookViews><workbookView/></bookViews><sheets>${list.join('')}</sheets></workbook>`,
      )),
      ...(await this.part(
        'xl/_rels/workbook.xml.rels',
        relationsXml([...targets, relation('rId0', 'styles', 'styles.xml')]),
      )),
      this.zip.close(),
    ]);
  }

  private async begin(): Promise<Buffer[]> {
    return [
      ...(await this.part('[Content_Types].xml', contentTypes)),
      ...(await this.part(
        '_rels/.rels',
        relationsXml([relation('rId1', 'officeDocument', 'xl/workbook.xml')]),
      )),
      ...(await this.part('xl/styles.xml', styles)),
      ...(await this.beginSheet()),
    ];
  }

  private async beginSheet(): Promise<Buffer[]> {
    this.state.sheets += 1;
    this.state.rows = 1;
    const text = `${declaration}<worksheet xmlns="${main}">${frozenHeader}<sheetData>${rowXml(this.header, 1, true)}`;
    return [
      this.zip.begin(`xl/worksheets/sheet${this.state.sheets}.xml`),
      await this.zip.add(Buffer.from(text)),
    ];
  }

  private async endSheet(): Promise<Buffer[]> {
    return [await this.zip.add(Buffer.from('</sheetData></worksheet>')), this.zip.end()];
  }

  private async part(name: string, xml: string): Promise<Buffer[]> {
    return [this.zip.begin(name), await this.zip.add(Buffer.from(declaration + xml)), this.zip.end()];
  }
}

/** A whole workbook as a stream, at constant memory. */
export async function* workbookOf(
  sheetName: string,
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly SheetCell[])[]>,
): AsyncGenerator<Buffer> {
  const writer = new WorkbookWriter(sheetName, header);
  for await (const rows of batches) yield await writer.write(rows);
  // An empty one has its header.
  yield Buffer.concat([await writer.write([]), await writer.end()]);
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Sheets are the default, because their number is not known when this is written. */
const contentTypes = `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`;

/** Plain, a time, and the bold header. */
const styles = `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font/><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf numFmtId="164" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`;

const frozenHeader =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';

const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`;
const relationsXml = (all: readonly string[]): string =>
  `<Relationships xmlns="${packages}/relationships">${all.join('')}</Relationships>`;
