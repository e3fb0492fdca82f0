import Joi from 'joi';

const maxId = 2n ** 63n - 1n;

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
    return id >= 1n && id <= maxId ? id.toString() : idFault(helpers);
  })
  .description('64-bit id as a decimal string')
  .meta({
    name: 'Id',
    jsonSchema: {
      type: ['string', 'integer'],
      format: 'int64',
      pattern: '^[1-9][0-9]{0,18}$',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  })
  .example('124582219177164800');

/** Schema of a free-text search of at most `max` characters. */
export const searchText = (max = 256): Joi.StringSchema => Joi.string().trim().allow('').max(max);

/** Returns whether a text shows nothing: only white space and characters without width. */
export const isBlank = (text: string): boolean => /^[\s\p{Default_Ignorable_Code_Point}]*$/u.test(text);

/** Schema of a visible text: trimmed, not blank, at most `max` characters. */
export const visibleText = (max: number): Joi.StringSchema =>
  Joi.string()
    .trim()
    .max(max)
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

/** The type of a value after JSON: dates become text. For schemas of responses. */
export type Wire<T> = T extends Date ? string : T extends object ? { [K in keyof T]: Wire<T[K]> } : T;
