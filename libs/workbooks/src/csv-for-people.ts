import Joi from 'joi';

/** What CSV files need so that a spreadsheet shows them as they are. */

export const separators = [',', ';', '\t', '|'] as const;
export type Separator = (typeof separators)[number];

/** Digits of which a spreadsheet would drop zeros or the last ones, or that it would show as `1E+11`. */
export const longDigits = '^(0[0-9]+|[0-9]{12,}|[0-9]+[eE][0-9]+)$';
const pattern = new RegExp(longDigits);

/** A cell as a formula that gives its text, where a spreadsheet would take it for another number. */
export const excelText = (cell: string): string => (pattern.test(cell) ? `="${cell}"` : cell);

/** The members of a request by which the caller chooses how CSV is written. */
export const csvOptions = {
  bom: Joi.boolean()
    .default(false)
    .description('whether CSV begins with a byte order mark, by which Excel knows UTF-8'),
  separator: Joi.string()
    .valid(...separators)
    .default(',')
    .description('sign between cells of CSV; Excel in German, French and others expects `;`'),
  idsAsText: Joi.boolean()
    .default(false)
    .description(
      'whether CSV has digits with a leading zero and 12 digits or more, such as ids, as `="…"`, which a spreadsheet shows unchanged',
    ),
};
