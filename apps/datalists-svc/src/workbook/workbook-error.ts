/** The reason why a workbook cannot be read, with the place in its sheet if it has one. */
export class WorkbookError extends Error {
  constructor(
    readonly code: 'not_xlsx' | 'workbook_too_large' | 'row_too_long',
    message: string,
    readonly place: { line: number | null; column: number | null } = { line: null, column: null },
  ) {
    super(message);
  }
}

export const damaged = (what: string): WorkbookError =>
  new WorkbookError('not_xlsx', `The workbook is damaged: ${what}.`);
