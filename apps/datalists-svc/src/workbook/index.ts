export { firstSheet } from './first-sheet';
export type { SheetRow } from './sheet-rows';
export { WorkbookError } from './workbook-error';
