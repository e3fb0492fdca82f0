import { validationProblem } from '@canvass/errors';
import {
  fieldsParameter,
  formatSchema,
  endSchema,
  instantSchema,
  listParameters,
  searchText,
  visibleText,
  type KeyQuery,
} from '@canvass/service-kit';
import { csvOptions, separators, type Separator } from '@canvass/workbooks';
import Joi from 'joi';
import { answersPrefix, maxAnswerPathLength } from '../answer-texts';
import { exportColumns } from './export-columns';
import { submissionFields } from './fields.sql';
import { sortableFields, readFilters, type SubmissionFilter } from '../filters';
import type { ListOrder } from './list.sql';

/** The common parameters of lists and exports. */
export interface FilterMembers {
  filter: string[];
  search?: string | null;
  from?: Date | null;
  to?: Date | null;
}

interface ListMembers extends FilterQuery, Pick<ListOrder, 'sortDir'> {
  /** Without it `createdAt` if the filter limits the time of creation, otherwise `id`. */
  sortBy?: string;
  /** The chosen members; all if absent. */
  fields?: string[];
}

export type ListQuery = KeyQuery & ListMembers;

export interface ExportBody extends FilterMembers {
  format: 'csv' | 'ndjson' | 'json' | 'xlsx';
  raw: boolean;
  bom: boolean;
  separator: Separator;
  idsAsText: boolean;
  answers: 'json' | 'columns';
  labels: boolean;
  titles: boolean;
  locale?: string | null;
  fields?: string[];
  headings: Record<string, string>;
}

const filters = Joi.array()
  .items(
    Joi.string()
      .max(4000)
      .meta({ jsonSchema: { type: 'string', maxLength: 4000, pattern: '[:<>]' } }),
  )
  .max(20)
  .default([])
  .description(
    '`<field><op><value>[|<value>…]` with an operator of `: !: >: <: > <`; all filters must hold, of several values one. Fields are those of the submission and `submitterProfile.<field>` (`:` and `!:` only, configured fields only), and `answers.<path>`: an answer by the name of its question, or by names separated by dots; of several choices one must be equal, `> < >: <:` compare numbers, and `~:` finds a text within the answer, case-insensitive. `null`, or no value, means that the field is absent; `\\|` is a bar within a value, `\\null` the text `null`. Times without a zone are in UTC.',
  )
  .example(['isComplete:true', 'submitterProfile.department:Research|Sales']);

const members = {
  search: searchText().description('text within the display id, case-insensitive'),
  from: instantSchema('created at or after this time'),
  to: endSchema('created before this time'),
};

/** The filter of a list, as parameters of a query. */
export type FilterQuery = FilterMembers & { deleted: boolean };

export const filterQuery = {
  ...members,
  filter: filters.single(),
  deleted: Joi.boolean()
    .default(false)
    .description(
      'true: deleted submissions that the retention has not removed yet; `modifiedAt` is the time of the deletion',
    ),
};

export const listQuery = listParameters<ListMembers>({
  ...filterQuery,
  sortBy: Joi.string()
    .valid(...sortableFields)
    .description(
      'field to sort by; equal values are sorted by id, absent values come last. By default `createdAt` if a filter limits it, otherwise `id`',
    ),
  fields: fieldsParameter(submissionFields, { prefix: answersPrefix, maxLength: maxAnswerPathLength }),
  sortDir: Joi.string().valid('asc', 'desc').default('desc').description('direction of the order'),
});

/** The filter of a list, as a member of a body. */
export const filterBody = {
  filter: filters,
  search: members.search.allow(null),
  from: members.from.allow(null),
  to: members.to.allow(null),
};

const hasColumns = { required: ['answers'], properties: { answers: { enum: ['columns'] } } };
const isOn = (name: string) => ({ required: [name], properties: { [name]: { enum: [true] } } });

/** What the documents say of `checkExport`. */
const exportRefusals = [
  {
    required: ['answers', 'format'],
    properties: { ...hasColumns.properties, format: { enum: ['json', 'ndjson'] } },
  },
  ...[
    { bom: { enum: [true] } },
    { idsAsText: { enum: [true] } },
    { separator: { enum: separators.slice(1) } },
  ].map((member) => ({
    required: ['format', ...Object.keys(member)],
    properties: { ...member, format: { enum: ['ndjson', 'json', 'xlsx'] } },
  })),
  ...[
    isOn('labels'),
    isOn('titles'),
    { required: ['fields'], properties: { fields: { minItems: 1 } } },
    { required: ['headings'], properties: { headings: { type: 'object', minProperties: 1 } } },
  ].map((member) => ({
    ...member,
    not: hasColumns,
  })),
  {
    required: ['locale'],
    properties: { locale: { type: 'string' } },
    not: { anyOf: [isOn('labels'), isOn('titles')] },
  },
];

/** Columns of a file. */
const maxChosen = 1_000;

export const exportBody = Joi.object<ExportBody>({
  format: formatSchema('csv', 'ndjson', 'json', 'xlsx').description('format of the file, case-insensitive'),
  ...filterBody,
  raw: Joi.boolean()
    .default(false)
    .description('whether CSV cells that a spreadsheet would run as formulas are not escaped'),
  ...csvOptions,
  answers: Joi.string()
    .valid('json', 'columns')
    .default('json')
    .description(
      '`json`: a table has the answers as JSON text in `jsonData`. `columns`: CSV and XLSX have a column for each question instead',
    ),
  labels: Joi.boolean()
    .default(false)
    .description(
      'with `answers: columns`: choices by their label, where they have one, not by value. Labels are those of the time of the answer, of the form and of its data lists; where the label in a data list is another one now, both: `then → now`',
    ),
  titles: Joi.boolean()
    .default(false)
    .description('with `answers: columns`: the header has the titles of questions, not their names'),
  locale: Joi.string()
    .max(35)
    .allow(null)
    .description('of labels and titles; without it, or where a text has no such locale, the default one')
    .example('de'),
  fields: Joi.array()
    .items(Joi.string().max(answersPrefix.length + maxAnswerPathLength))
    .min(1)
    .max(maxChosen)
    .unique()
    .description(
      'with `answers: columns`: the columns, all by default: members such as `status`, `submitterProfile.<field>`, `answers.<question>` and `otherAnswers`. Members come first, then answers, both in this order',
    )
    .example(['createdAt', 'answers.country']),
  headings: Joi.object<Record<string, string>>()
    .pattern(Joi.string().max(100), visibleText(200))
    .max(100)
    .default({})
    .description('with `answers: columns`: headings of members by their name')
    .example({ createdAt: 'Begun' }),
})
  .default()
  .meta({ refuses: exportRefusals })
  .example({ format: 'csv', filter: ['isComplete:true'], from: '2026-11-01T00:00:00Z' })
  .id('SubmissionExportRequest');

/** @throws {Problem} `validation_failed` for members that do not fit together */
export function checkExport(
  { format, answers, labels, titles, locale, fields, headings, ...csv }: ExportBody,
  profileFields: readonly string[],
): void {
  const isTable = format === 'csv' || format === 'xlsx';
  const hasColumns = answers === 'columns';
  const unknown = fields?.find((field) => !isExportField(field, profileFields));
  const errors = {
    ...(answers === 'columns' && !isTable && { answers: ['must be json: only csv and xlsx have columns'] }),
    ...(format !== 'csv' && csv.bom && { bom: ['must be false: only csv has a mark'] }),
    ...(format !== 'csv' && csv.idsAsText && { idsAsText: ['must be false: only csv needs it'] }),
    ...(format !== 'csv' && csv.separator !== ',' && { separator: ['must be absent: only csv has one'] }),
    ...(labels && !hasColumns && { labels: ['must be false: only answers in columns have labels'] }),
    ...(titles && !hasColumns && { titles: ['must be false: only answers in columns have titles'] }),
    ...(fields && !hasColumns && { fields: ['must be absent: only answers in columns can be chosen'] }),
    ...(unknown !== undefined && { fields: [`names ${JSON.stringify(unknown)}, which is no column`] }),
    ...(Object.keys(headings).length > 0 &&
      !hasColumns && { headings: ['must be absent: only tables with answers in columns have them'] }),
    ...(locale && !labels && !titles && { locale: ['must be absent: there are neither labels nor titles'] }),
  };
  if (Object.keys(errors).length > 0) throw validationProblem(errors);
}

const isExportField = (field: string, profileFields: readonly string[]): boolean =>
  field === 'otherAnswers' ||
  (field.startsWith(answersPrefix) && field.length > answersPrefix.length) ||
  (field !== 'jsonData' && exportColumns(profileFields).some(({ name }) => name === field));

/** @throws {Problem} `validation_failed` for invalid filters */
export function filterOf(
  tenantId: string,
  formId: string,
  {
    filter,
    search,
    from,
    to,
    deleted = false,
    ids = null,
  }: FilterMembers & {
    deleted?: boolean;
    ids?: readonly string[] | null;
  },
  profileFields: readonly string[],
): SubmissionFilter {
  return {
    tenantId,
    formId,
    conditions: readFilters(filter, profileFields),
    search: search || null,
    from: from ?? null,
    to: to ?? null,
    isDeleted: deleted,
    ids,
  };
}
