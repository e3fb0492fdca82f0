import { formatSchema } from '@canvass/service-kit';
import Joi from 'joi';
import { commaList, localeList, localesLimit, normalizeCultureKey } from '../catalog';
import type { ExportFormat } from './export-list';

export interface ImportBody {
  format: 'json' | 'csv';
  items?: unknown[];
  csv?: string;
  ensureLocales: string[];
}

/** `items` is checked row by row while it is read, so that its faults are those of a CSV file. */
export const importBody = Joi.object<ImportBody>({
  format: formatSchema('json', 'csv').description('which of `items` and `csv` is sent, in any case'),
  items: Joi.any()
    .when('format', { is: 'json', then: Joi.array().required() })
    .description('{ value, labels } objects; for format json'),
  csv: Joi.any()
    .when('format', { is: 'csv', then: Joi.string().allow('').required() })
    .description('Text of a CSV file; for format csv'),
  ensureLocales: localeList.default([]).description('Added to the catalogue before labels are checked.'),
});

export interface ImportQuery {
  dryRun: boolean;
  ensureLocales: string[];
}

const localesInQuery = commaList(
  localesLimit,
  'For a streamed body; the JSON body has a field of this name.',
).custom((texts: string[], helpers) => {
  const keys = texts.map(normalizeCultureKey);
  const valid = keys.every((key) => key !== null);
  return valid
    ? [...new Set(keys)]
    : helpers.message({ custom: 'must hold culture codes such as "en" or "pt-br"' });
});

export const importQuery = Joi.object<ImportQuery>({
  dryRun: Joi.boolean().default(false).description('Checks and answers the difference; writes nothing.'),
  ensureLocales: localesInQuery.default([]),
});

export const exportBody = Joi.object<{ format: ExportFormat }>({
  format: formatSchema('csv', 'json', 'ndjson').description('of the file, in any case'),
}).default({ format: 'csv' });
