import Joi from 'joi';
import { pageOf, type Page } from './answers';
import type { DescribedAnswer } from './described-answer';

/** Returns whether a list is counted. */
export type TotalMode = 'none' | 'exact';

/** Parameters of a page of a list. */
export interface KeyQuery {
  after?: string | undefined;
  before?: string | undefined;
  limit: number;
  total: TotalMode;
}

/** A page of a list. */
export interface KeyPage<T> {
  items: T[];
  next: string | null;
  previous: string | null;
  total: number | null;
  totalIsExact: boolean;
}

/** Largest number of records of a page. */
const maxPageSize = 200;

/** Longest cursor. It contains the sort values of one row, and must fit into a URL. */
const maxCursorCharacters = 8_000;

const cursor = Joi.string().max(maxCursorCharacters);

const pageParameters = {
  after: cursor.description('`next` of a page: the records after it. New records do not move this page.'),
  before: cursor.description('`previous` of a page: the records before it, in the order of the list.'),
  limit: Joi.number().integer().min(1).max(maxPageSize).default(25).description('Records per page.'),
  total: Joi.string()
    .valid('none', 'exact')
    .default('none')
    .description('`exact` counts up to 10,000 records.'),
};

/** Schema of the query of a list: its own members, and those of a page. */
export const listParameters = <T extends object>(
  members: Joi.PartialSchemaMap<T & KeyQuery>,
): Joi.ObjectSchema<T & KeyQuery> =>
  Joi.object<T & KeyQuery>({ ...pageParameters, ...members }).without('after', 'before');

/** Largest number of names in `fields`. */
const maxFields = 100;

/**
 * Schema of the parameter `fields`: names of members, separated by commas.
 *
 * @param names of the members that can be chosen
 * @param prefix permits names that begin with it, such as `answers.`, and a path of up to `maxLength`
 * characters
 */
export function fieldsParameter(
  names: readonly string[],
  { prefix, maxLength }: { prefix?: string; maxLength: number } = { maxLength: 0 },
): Joi.Schema<string[]> {
  const isField = (name: string) =>
    names.includes(name) ||
    (prefix !== undefined &&
      name.startsWith(prefix) &&
      name.length > prefix.length &&
      name.length <= prefix.length + maxLength &&
      !name.includes('\u0000'));
  const read: Joi.CustomValidator = (text: string, helpers) => {
    const chosen = [...new Set(text.split(',').map((name) => name.trim()))];
    const unknown = chosen.findIndex((name) => !isField(name));
    if (chosen.length > maxFields) return helpers.message({ custom: `must have at most ${maxFields} names` });
    if (unknown < 0) return chosen;
    return helpers.message({ custom: `has an unknown name at place ${unknown + 1}` });
  };
  const open = prefix === undefined ? '' : `, \`${prefix}<path>\``;
  const ofPrefix = prefix === undefined ? [] : [`${prefix.replaceAll('.', '\\.')}[^,]+`];
  const name = `\\s*(${[...names, ...ofPrefix].join('|')})\\s*`;
  return Joi.string()
    .max(maxCursorCharacters)
    .custom(read)
    .meta({
      jsonSchema: { type: 'string', maxLength: maxCursorCharacters, pattern: `^${name}(,${name})*$` },
    })
    .description(
      `Members of the records, separated by commas; all by default. Names: ${names.map((name) => `\`${name}\``).join(', ')}${open}.`,
    )
    .example(names.slice(0, 2).join(',')) as unknown as Joi.Schema<string[]>;
}

const text = (what: string) => Joi.string().allow(null).required().description(what);

/** Members of the schema of a page with records of these kinds. */
export const pageMembers = <T extends object>(...records: Joi.ObjectSchema<T>[]) => ({
  // In joi a required item would mean that every page must contain it.
  items: Joi.array()
    .items(...records.map((record) => record.optional()))
    .required()
    .description('in the order of the list'),
  next: text('`after` of the next page; null after the last record'),
  previous: text('`before` of the previous page; null before the first record'),
  total: Joi.number()
    .integer()
    .min(0)
    .allow(null)
    .required()
    .description('number of all records, up to 10,000; null unless asked'),
  totalIsExact: Joi.boolean().required().description('whether `total` is exact; false: there are more'),
});

/** An example of a page. */
export const pageExample = <T>(record: T): KeyPage<T> => ({
  items: [record],
  next: 'WyJpZCBkZXNjIGhYcTBtVHk5QndEZSIsIjE4NjUxMjM0NTY3MDAwMDEyOCJd',
  previous: null,
  total: 10_000,
  totalIsExact: false,
});

/**
 * Response of a list.
 *
 * @param name of the records; the schema is `<name>Page`
 * @param chosen the records of a page with `fields`
 */
export const listAnswer = <T extends object>(
  name: string,
  record: Joi.ObjectSchema<T>,
  example: T,
  description: string,
  chosen: Joi.ObjectSchema[] = [],
): DescribedAnswer => ({
  description,
  body: Joi.object(pageMembers(record, ...chosen)).id(`${name}Page`),
  example: pageExample(example),
});

/** Query parameters `page` and `pageSize`, for the lists that have page numbers. */
export const pageQuery = (defaultSize: number) => ({
  page: Joi.number()
    .integer()
    .min(1)
    .max(2_147_483_647)
    .default(1)
    .description('Page number, starting at 1.'),
  pageSize: Joi.number()
    .integer()
    .min(1)
    .max(maxPageSize)
    .default(defaultSize)
    .description('Records per page.'),
});

export interface PageQuery {
  page: number;
  pageSize: number;
}

const count = Joi.number().integer().min(0);

/** Response of a list with page numbers. The schema is `<name>Page`. */
export const numberedAnswer = <T extends object>(
  name: string,
  record: Joi.ObjectSchema<T>,
  example: T,
  description: string,
): DescribedAnswer => ({
  description,
  body: Joi.object<Page<T>>({
    page: count.min(1).required().description('number of this page, starting at 1'),
    pageSize: count.min(1).max(maxPageSize).required().description('maximum number of records per page'),
    totalRecords: count.required().description('exact number of all records'),
    totalPages: count.required().description('number of the last page with records'),
    items: Joi.array().items(record.optional()).required().description('empty on a page past the end'),
  }).id(`${name}Page`),
  example: pageOf([example], 1, { page: 1, pageSize: 25 }),
});
