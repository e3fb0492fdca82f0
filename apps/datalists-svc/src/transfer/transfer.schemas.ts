import { formatSchema } from '@canvass/service-kit';
import { csvOptions } from '@canvass/workbooks';
import Joi from 'joi';
import { commaList, culturesPattern, localeList, localesLimit, normalizeCultureKey } from '../catalog';
import { importModes, type ImportMode } from './item-rules';
import type { ColumnMap } from './item-table';
import type { ExportOptions } from './export-list';

export interface ImportBody {
  format: 'json' | 'csv';
  items?: unknown[];
  csv?: string;
  columns?: ColumnMap;
  mode?: ImportMode;
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

const aboutColumns =
  'What the names of a header stand for: `{ "Code": "value", "Name": "default", "Englisch": "en" }`; null leaves a column out. Names of the format need none.';

/** A map of at most 200 columns; its keys are compared without case. */
const columnMap = (schema: Joi.ObjectSchema) =>
  schema
    .pattern(Joi.string().max(200), Joi.string().max(40).allow(null))
    .max(200)
    .custom(
      (map: Record<string, string | null>): ColumnMap =>
        new Map(
          Object.entries(map).map(([name, key]) => [
            name.trim().toLowerCase(),
            key?.trim().toLowerCase() ?? null,
          ]),
        ),
    );

/** The same as JSON text in a query. */
const columnsInQuery = Joi.string()
  .max(8_000)
  .custom((text: string, helpers) => {
    let map: unknown;
    try {
      map = JSON.parse(text);
    } catch {
      return helpers.message({ custom: 'must be JSON' });
    }
    const { value, error } = columnMap(Joi.object().required()).label('columns').validate(map);
    return error ? helpers.message({ custom: 'must be an object of names' }) : (value as ColumnMap);
  })
  .description('For text/csv and .xlsx, as JSON. ' + aboutColumns);

const isCsv = { required: ['format'], properties: { format: { enum: ['csv'] } } };

const mode = Joi.string().valid(...importModes);
const aboutMode =
  '`replace` (the default): the items of the file become all items of the list; `merge`: they are added, or change those of the same value, whose labels stay that the file does not name, and all other items stay';

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
  columns: columnMap(Joi.object()).description('For format csv. ' + aboutColumns),
  mode: mode.description(aboutMode),
  ensureLocales: localeList.default([]).description('Added to the catalogue before labels are checked.'),
})
  .meta({
    refuses: [
      { ...isCsv, not: { required: ['csv'], properties: { csv: {} } } },
      { not: { anyOf: [isCsv, { required: ['items'], properties: { items: {} } }] } },
    ],
  })
  .example({ items: [{ value: 'IS', labels: { default: 'Iceland', de: 'Island' } }], ensureLocales: ['de'] });

export interface ImportQuery {
  dryRun: boolean;
  mode: ImportMode;
  ensureLocales: string[];
  columns?: ColumnMap;
}

const localesInQuery = commaList(
  localesLimit,
  'For a streamed body. A JSON body has a member of this name.',
  culturesPattern,
).custom((texts: string[], helpers) => {
  const keys = texts.map(normalizeCultureKey);
  const valid = keys.every((key) => key !== null);
  return valid
    ? [...new Set(keys)]
    : helpers.message({ custom: 'must contain culture codes such as "en" or "pt-br"' });
});

const modeInQuery = mode
  .default('replace')
  .description('For a streamed body. A JSON body has a member of this name.');

export const importQuery = Joi.object<ImportQuery>({
  dryRun: Joi.boolean()
    .default(false)
    .description('Checks the import and returns the difference without writing.'),
  mode: modeInQuery,
  ensureLocales: localesInQuery.default([]),
  columns: columnsInQuery,
});

/** The query of a staged import. */
export const stageQuery = Joi.object<Omit<ImportQuery, 'dryRun'>>({
  mode: modeInQuery,
  ensureLocales: localesInQuery.default([]),
  columns: columnsInQuery,
});

export const exportBody = Joi.object<ExportOptions>({
  format: formatSchema('csv', 'json', 'ndjson', 'xlsx').description('format of the file, case-insensitive'),
  formulas: Joi.string()
    .valid('keep', 'escape')
    .default('keep')
    .description(
      "of CSV cells that a spreadsheet would run: `escape` puts a `'` before the formula, for a file that people open; `keep` changes nothing, for a file that is imported again",
    ),
  ...csvOptions,
})
  .default({ format: 'csv', formulas: 'keep', bom: false, separator: ',', idsAsText: false })
  .example({ format: 'csv', formulas: 'escape' });
