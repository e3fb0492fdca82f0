import Joi from 'joi';
import { pageOf, type Page } from './answers';
import type { DescribedAnswer } from './described-answer';
import { pageQuery, pageSchema, type PageQuery } from './schemas';

/** Whether and how a list is counted. */
export type TotalMode = 'none' | 'estimated' | 'exact';

/** Parameters of a page by key. */
export interface KeyQuery {
  after?: string;
  before?: string;
  limit: number;
  total: TotalMode;
}

/** How a list is paged: by key if `byKey` is not null, otherwise by number. */
export type Paging = PageQuery & { byKey: KeyQuery | null };

/** A page by key. All lists have this shape. */
export interface KeyPage<T> {
  items: T[];
  next: string | null;
  previous: string | null;
  total: number | null;
  totalIsExact: boolean;
}

/** Longest cursor. It contains the sort values of one row, and must fit into a URL. */
const mostCursorCharacters = 8_000;

const byNumber = ['page', 'pageSize'];
const byKey = ['after', 'before', 'limit', 'total', 'fields'];

/**
 * Schema of the query of a list: its own members, and the parameters of both kinds of pages. A query with a
 * parameter of one kind and one of the other is a 400. A member `fields` belongs to pages by key.
 */
export function listParameters<T extends object>(
  members: Joi.PartialSchemaMap<T>,
  { defaultSize = 10, largest = 200 } = {},
): Joi.ObjectSchema<T & Paging> {
  const cursor = Joi.string().max(mostCursorCharacters);
  const decide: Joi.CustomValidator = (value: Record<string, unknown>, helpers) => {
    const given = (names: readonly string[]) =>
      names.find((name) => Object.hasOwn(helpers.original as object, name));
    const [key, number] = [given(byKey), given(byNumber)];
    const clash = (main: string, other: string) =>
      helpers.message({ custom: `cannot be combined with ${other}` }, { main });
    if (key !== undefined && number !== undefined) return clash(key, number);
    const { after, before, limit = defaultSize, total = 'none', ...rest } = value;
    if (after !== undefined && before !== undefined) return clash('after', 'before');
    return { ...rest, byKey: key === undefined ? null : { after, before, limit, total } };
  };
  return Joi.object<T & Paging>({
    ...pageQuery(defaultSize, largest),
    after: cursor.description(
      '`next` of a page: the records after it. Not with `page`. New records do not move this page.',
    ),
    before: cursor.description('`previous` of a page: the records before it, in the order of the list.'),
    limit: Joi.number()
      .integer()
      .min(1)
      .max(largest)
      .description(
        `Records per page by key, ${defaultSize} by default. A query with \`after\`, \`before\`, \`limit\` or \`total\` answers with a page by key.`,
      ),
    total: Joi.string()
      .valid('none', 'estimated', 'exact')
      .description(
        'Of a page by key: `none` (default), or `exact` or `estimated`, which count up to 10,000 records. Of more, `exact` answers 10,000, and `estimated` an estimate.',
      ),
    ...members,
  }).custom(decide) as Joi.ObjectSchema<T & Paging>;
}

/** Most names in `fields`. */
const mostFields = 100;

/**
 * Schema of the parameter `fields`: names of members, separated by commas.
 *
 * @param names of the members that can be chosen
 * @param prefix permits names that begin with it, such as `answers.`, and a path of up to `longest`
 * characters
 */
export function fieldsParameter(
  names: readonly string[],
  { prefix, longest }: { prefix?: string; longest: number } = { longest: 0 },
): Joi.Schema<string[]> {
  const isField = (name: string) =>
    names.includes(name) ||
    (prefix !== undefined &&
      name.startsWith(prefix) &&
      name.length > prefix.length &&
      name.length <= prefix.length + longest &&
      !name.includes('\u0000'));
  const read: Joi.CustomValidator = (text: string, helpers) => {
    const chosen = [...new Set(text.split(',').map((name) => name.trim()))];
    const unknown = chosen.findIndex((name) => !isField(name));
    if (chosen.length > mostFields)
      return helpers.message({ custom: `must have at most ${mostFields} names` });
    if (unknown < 0) return chosen;
    return helpers.message({ custom: `has an unknown name at place ${unknown + 1}` });
  };
  const open = prefix === undefined ? '' : `, \`${prefix}<path>\``;
  return Joi.string()
    .max(mostCursorCharacters)
    .custom(read)
    .description(
      `Members of the records of a page by key, separated by commas; all by default. Names: ${names.map((name) => `\`${name}\``).join(', ')}${open}.`,
    )
    .example(names.slice(0, 2).join(',')) as unknown as Joi.Schema<string[]>;
}

const cursorText = (what: string) => Joi.string().allow(null).required().description(what);

const keyPageSchema = <T extends object>(name: string, item: Joi.ObjectSchema<T>) =>
  Joi.object<KeyPage<T>>({
    items: Joi.array().items(item.optional()).required().description('in the order of the list'),
    next: cursorText('`after` of the next page; null after the last record'),
    previous: cursorText('`before` of the previous page; null before the first record'),
    total: Joi.number()
      .integer()
      .min(0)
      .allow(null)
      .required()
      .description('number of all records, up to 10,000 or estimated above that; null unless asked'),
    totalIsExact: Joi.boolean()
      .required()
      .description('whether `total` is exact; false: there are more, or it is an estimate'),
  })
    .id(name)
    .description('A page by key.');

/**
 * Response of a list: a page by number, or a page by key.
 *
 * @param name of the records; the schemas are `<name>Page` and `<name>KeyPage`
 * @param chosen the records of a page by key with `fields`
 */
export function listAnswer<T extends object>(
  name: string,
  item: Joi.ObjectSchema<T>,
  example: T,
  description: string,
  chosen?: Joi.ObjectSchema,
): DescribedAnswer {
  const byNumber: Page<T> = pageOf([example], 1, { page: 1, pageSize: 10 });
  const byKey: KeyPage<T> = {
    items: [example],
    next: 'WyJpZCBkZXNjIiwiMTg2NTEyMzQ1NjcwMDAwMTI4Il0',
    previous: null,
    total: 120_000,
    totalIsExact: false,
  };
  return {
    description: `${description} With \`after\`, \`before\`, \`limit\` or \`total\` it is a page by key.`,
    body: Joi.alternatives(
      pageSchema(`${name}Page`, item),
      keyPageSchema(`${name}KeyPage`, item).example(byKey),
      ...(chosen === undefined ? [] : [keyPageSchema(`${name}FieldsPage`, chosen)]),
    ),
    example: byNumber,
  };
}
