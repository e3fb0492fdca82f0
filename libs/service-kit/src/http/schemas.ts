import Joi from 'joi';
import { untrustedFaults } from './untrusted';

const largestId = 2n ** 63n - 1n;

const idFault = (helpers: Joi.CustomHelpers) =>
  helpers.message({
    custom: 'must be an id: a whole number from 1 to 9223372036854775807, as a string or an integer',
  });

/**
 * A 64-bit id or revision: a decimal string, or an integer that a double holds exactly; always a canonical decimal
 * string out. An integer beyond 2^53 has lost digits before we saw it and is refused.
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
  .meta({ format: 'int64' });

/** `page` (1) and `pageSize` (`defaultSize`, at most 200). */
export const pageQuery = (defaultSize = 10, largest = 200) => ({
  page: Joi.number()
    .integer()
    .min(1)
    .max(2_147_483_647)
    .default(1)
    .description('Number of the page, from 1.'),
  pageSize: Joi.number().integer().min(1).max(largest).default(defaultSize).description('Records on a page.'),
});

export interface PageQuery {
  page: number;
  pageSize: number;
}

/** Key of a locale: trimmed, in lower case, BCP 47 shaped (`en`, `pt-br`, `zh-hant-tw`), at most 35 characters. */
export const cultureKey: Joi.StringSchema = Joi.string()
  .trim()
  .lowercase()
  .max(35)
  .pattern(/^[a-z]{2,8}(-[a-z0-9]{1,8})*$/)
  .messages({ 'string.pattern.base': 'must be a culture code such as "en" or "pt-br"' });

/** JSON text that is kept byte for byte as it was sent; only checked to be JSON. `limit` in UTF-8 bytes. */
export const jsonText = (limit: number): Joi.StringSchema =>
  Joi.string()
    .max(limit, 'utf8')
    .custom((value: string, helpers) => {
      const fault = jsonTextFault(value);
      return fault === undefined ? value : helpers.message({ custom: fault });
    });

/** Postgres refuses `\u0000` and lone surrogates in jsonb also when they are escaped. */
function jsonTextFault(text: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return 'must be valid JSON text';
  }
  const [odd] = Object.entries(untrustedFaults(parsed));
  return odd === undefined ? undefined : `holds JSON whose ${odd[0]} ${odd[1][0]}`;
}

/** A flag in a query: `true` or `false`. */
export const booleanQuery = (fallback: boolean): Joi.BooleanSchema => Joi.boolean().default(fallback);

const lists = Joi.extend((joi: Joi.Root) => ({
  type: 'commaList',
  base: joi.array(),
  coerce: (value: unknown) => {
    const texts = Array.isArray(value) ? value : [value];
    if (!texts.every((text) => typeof text === 'string')) return { value };
    const parts = texts.flatMap((text: string) => text.split(',')).map((part) => part.trim());
    return { value: [...new Set(parts.filter((part) => part !== ''))] };
  },
})) as { commaList(): Joi.ArraySchema<string[]> };

/** One value, several repeated ones or a comma-separated list, as one list without blanks and duplicates. */
export const listQuery = (item: Joi.Schema, largest: number): Joi.ArraySchema<string[]> =>
  lists.commaList().items(item).max(largest);

/** Most characters of a free-text search. */
export const searchText = (largest = 256): Joi.StringSchema => Joi.string().trim().allow('').max(largest);
