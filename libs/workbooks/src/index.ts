export { csvOptions, excelText, longDigits, separators, type Separator } from './csv-for-people';
export { TextReader, type Encoding } from './text-encoding';
export {
  workbookOf,
  WorkbookWriter,
  workbookType,
  type SheetCell,
  type WorkbookState,
} from './workbook-writer';
