import { idSchema, pageQuery, searchText, type PageQuery } from '@canvass/service-kit';
import Joi from 'joi';
import { commaList, localesLimit } from '../catalog';
import { matchModes, type MatchMode } from '../search';

/** Maximum number of records in a response. */
const pageLimit = 200;

/** Maximum number of values that display-values resolves at once. */
const valuesLimit = 200;

const localeText = Joi.string().allow('').max(64);

const labelFields = {
  locale: localeText.description(
    'Locale of the labels that are shown, searched and sorted; the default locale by default.',
  ),
  includeLocales: commaList(
    localesLimit,
    'Further locales to search and to return; unknown ones are ignored. At most 8 with a query.',
  ).default([]),
};

/** Each further locale of a search reads and folds all labels of that locale, unless they are cached. */
const maxSearchedLocales = 8;

const fewSearchedLocales: Joi.CustomValidator<SearchQuery> = (value, helpers) =>
  value.query === '' || value.includeLocales.length <= maxSearchedLocales
    ? value
    : helpers.message(
        { custom: `must have at most ${maxSearchedLocales} locales with a query` },
        { main: 'includeLocales' },
      );

const searchFields = {
  query: searchText().default('').description('Case and accents are ignored; % and _ are plain characters.'),
  matchMode: Joi.string()
    .valid(...matchModes)
    .default('Contains')
    .description('where the value or label must contain the query'),
  explain: Joi.boolean()
    .default(false)
    .description('Adds `match` to each item: which text matched, and where.'),
  ...labelFields,
};

export interface SearchQuery {
  query: string;
  matchMode: MatchMode;
  locale?: string;
  includeLocales: string[];
  explain: boolean;
}

export interface ItemsQuery extends SearchQuery, PageQuery {
  missing?: string;
}

const notWithMissing: Joi.CustomValidator<ItemsQuery> = (value, helpers) =>
  value.missing === undefined || value.query === ''
    ? value
    : helpers.message({ custom: 'cannot be combined with query' }, { main: 'missing' });

export const itemsQuery = Joi.object<ItemsQuery>({
  ...pageQuery(25),
  ...searchFields,
  missing: localeText.description(
    'Only items without a label of this locale, in the order of their import. Not with `query`.',
  ),
})
  .custom(fewSearchedLocales)
  .custom(notWithMissing);

export interface PublicSearchQuery extends SearchQuery {
  page?: number;
  pageSize?: number;
  skip?: number;
  take?: number;
}

const count = Joi.number().integer().max(2_147_483_647);

/** Pages are requested by number, or by `skip` and `take`, but not by both. */
export const publicSearchQuery = Joi.object<PublicSearchQuery>({
  ...searchFields,
  page: count.min(1).description('Number of the page, from 1.'),
  pageSize: count.min(1).max(pageLimit).description('Records per page; default 25.'),
  skip: count.min(0).description('Number of records to skip, instead of a page.'),
  take: count.min(1).max(pageLimit).description('Maximum number of records; default 25.'),
})
  .without('skip', ['page', 'pageSize'])
  .without('take', ['page', 'pageSize'])
  .custom(fewSearchedLocales)
  .messages({
    'object.without': 'cannot be combined with {{#peer}}: use page and pageSize, or skip and take',
  });

export interface DisplayValuesQuery {
  values: string[];
  locale?: string;
  includeLocales: string[];
}

/** The unparsed parameters; see `displayValues`. */
const values = Joi.any<string[]>()
  .custom((given: unknown, helpers) => {
    const texts = (Array.isArray(given) ? given : [given]).map(String);
    const parts = texts.flatMap((text) => text.split(','));
    return parts.length <= valuesLimit
      ? texts
      : helpers.message({ custom: `must have at most ${valuesLimit} values` });
  })
  .meta({ jsonSchema: { type: 'array', items: { type: 'string' }, maxItems: valuesLimit } });

export const displayValuesQuery = Joi.object<DisplayValuesQuery>({
  values: values
    .default([])
    .description(
      'Repeated or comma-separated. A parameter with commas that is as a whole a value of the list means that value.',
    ),
  ...labelFields,
});

export const publicParams = Joi.object<{ formId: string; dataListId: string }>({
  formId: idSchema.required().description('the form of the token'),
  dataListId: idSchema.required().description('a data list that the form may read'),
});
