import { formatSchema } from '@canvass/service-kit';
import Joi from 'joi';
import { commaList, localeList, localesLimit, normalizeCultureKey } from '../catalog';
import type { ExportFormat, Formulas } from './export-list';

export interface ImportBody {
  format: 'json' | 'csv';
  items?: unknown[];
  csv?: string;
  ensureLocales: string[];
}

/** An item as the documents describe it. `readItem` checks it, to report all errors with their places. */
const itemJsonSchema = {
  type: 'object',
  required: ['value', 'labels'],
  properties: {
    value: { type: 'string', description: 'unique in the list' },
    labels: {
      type: 'object',
      description: 'texts by culture code; `default` is required, null and blanks clear a key',
      additionalProperties: { type: ['string', 'null'] },
    },
  },
  additionalProperties: false,
};

/** `items` is checked row by row while it is read, with the same errors as a CSV file. */
export const importBody = Joi.object<ImportBody>({
  format: formatSchema('json', 'csv').description('whether `items` or `csv` is sent; case-insensitive'),
  items: Joi.any()
    .when('format', { is: 'json', then: Joi.array().required() })
    .meta({ jsonSchema: { type: 'array', items: itemJsonSchema } })
    .description('for format json; with `application/x-ndjson` one per line'),
  csv: Joi.any()
    .when('format', { is: 'csv', then: Joi.string().allow('').required() })
    .description('Text of a CSV file; for format csv'),
  ensureLocales: localeList.default([]).description('Added to the catalogue before labels are checked.'),
}).example({ items: [{ value: 'IS', labels: { default: 'Iceland', de: 'Island' } }], ensureLocales: ['de'] });

export interface ImportQuery {
  dryRun: boolean;
  ensureLocales: string[];
}

const localesInQuery = commaList(
  localesLimit,
  'For a streamed body. A JSON body has a member of this name.',
).custom((texts: string[], helpers) => {
  const keys = texts.map(normalizeCultureKey);
  const valid = keys.every((key) => key !== null);
  return valid
    ? [...new Set(keys)]
    : helpers.message({ custom: 'must contain culture codes such as "en" or "pt-br"' });
});

export const importQuery = Joi.object<ImportQuery>({
  dryRun: Joi.boolean()
    .default(false)
    .description('Checks the import and returns the difference without writing.'),
  ensureLocales: localesInQuery.default([]),
});

/** The query of a staged import. */
export const stageQuery = Joi.object<Pick<ImportQuery, 'ensureLocales'>>({
  ensureLocales: localesInQuery.default([]),
});

export const exportBody = Joi.object<{ format: ExportFormat; formulas: Formulas }>({
  format: formatSchema('csv', 'json', 'ndjson').description('format of the file, case-insensitive'),
  formulas: Joi.string()
    .valid('keep', 'escape')
    .default('keep')
    .description(
      "of CSV cells that a spreadsheet would run: `escape` puts a `'` before the formula, for a file that people open; `keep` changes nothing, for a file that is imported again",
    ),
})
  .default({ format: 'csv', formulas: 'keep' })
  .example({ format: 'csv', formulas: 'escape' });
