import Joi from 'joi';
import type { Page } from './answers';

const largestId = 2n ** 63n - 1n;

const idFault = (helpers: Joi.CustomHelpers) =>
  helpers.message({
    custom: 'must be an id: a whole number from 1 to 9223372036854775807, as a string or an integer',
  });

/**
 * Schema of a 64-bit id or revision: a decimal string, or an integer up to 2^53. The result is a canonical
 * decimal string. A larger integer is rejected, because it lost digits when it was parsed.
 */
export const idSchema: Joi.Schema<string> = Joi.any<string>()
  .custom((value: unknown, helpers) => {
    if (typeof value === 'number')
      return Number.isSafeInteger(value) && value > 0 ? String(value) : idFault(helpers);
    if (typeof value !== 'string' || !/^[0-9]{1,19}$/.test(value)) return idFault(helpers);
    const id = BigInt(value);
    return id >= 1n && id <= largestId ? id.toString() : idFault(helpers);
  })
  .description('64-bit id as a decimal string')
  .meta({
    name: 'Id',
    jsonSchema: {
      type: ['string', 'integer'],
      format: 'int64',
      pattern: '^[0-9]{1,19}$',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  })
  .example('124582219177164800');

/** Query parameters `page` (default 1) and `pageSize` (default `defaultSize`, at most `largest`). */
export const pageQuery = (defaultSize = 10, largest = 200) => ({
  page: Joi.number()
    .integer()
    .min(1)
    .max(2_147_483_647)
    .default(1)
    .description('Page number, starting at 1.'),
  pageSize: Joi.number().integer().min(1).max(largest).default(defaultSize).description('Records per page.'),
});

export interface PageQuery {
  page: number;
  pageSize: number;
}

/** Schema of a free-text search of at most `largest` characters. */
export const searchText = (largest = 256): Joi.StringSchema => Joi.string().trim().allow('').max(largest);

/** Whether a text shows nothing: only white space and characters without width. */
export const isBlank = (text: string): boolean => /^[\s\p{Default_Ignorable_Code_Point}]*$/u.test(text);

/** Schema of a visible text: trimmed, not blank, at most `largest` characters. */
export const visibleText = (largest: number): Joi.StringSchema =>
  Joi.string()
    .trim()
    .max(largest)
    .custom((text: string, helpers) =>
      isBlank(text) ? helpers.message({ custom: 'must not be blank' }) : text,
    )
    .messages({ 'string.empty': 'must not be blank' });

/** The format of a file, in any case; the first when it is absent, blank or null. */
export const formatSchema = <F extends string>(...formats: [F, ...F[]]): Joi.StringSchema<F> =>
  Joi.string<F>()
    .trim()
    .lowercase()
    .valid(...formats)
    .empty(Joi.valid('', null))
    .default(formats[0]);

const count = Joi.number().integer().min(0);

/** Schema of a page, see `pageOf`. `name` is its name in the OpenAPI document and in generated clients. */
export const pageSchema = <T extends object>(
  name: string,
  item: Joi.ObjectSchema<T>,
): Joi.ObjectSchema<Page<T>> =>
  Joi.object<Page<T>>({
    page: count.min(1).required().description('number of this page, starting at 1'),
    pageSize: count.min(1).max(200).required().description('maximum number of records per page'),
    totalRecords: count.required().description('exact number of all records'),
    totalPages: count.required().description('number of the last page with records'),
    // In joi a required item would mean that every page must contain it.
    items: Joi.array().items(item.optional()).required().description('empty on a page past the end'),
  }).id(name);

/** The type of a value after JSON: dates become text. For schemas of responses. */
export type Wire<T> = T extends Date ? string : T extends object ? { [K in keyof T]: Wire<T[K]> } : T;
