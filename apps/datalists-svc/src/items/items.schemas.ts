import { idSchema, pageQuery, searchText, type PageQuery } from '@canvass/service-kit';
import Joi from 'joi';
import { commaList, localesLimit } from '../catalog';
import { matchModes, type MatchMode } from '../search';

/** Most records that one answer holds. */
export const pageLimit = 200;

/** Most values that display-values resolves at once. */
export const valuesLimit = 200;

const localeText = Joi.string().allow('').max(64);

const labelFields = {
  locale: localeText.description(
    'Whose label is shown, searched and sorted by; default: the default locale.',
  ),
  includeLocales: commaList(
    localesLimit,
    'Further labels to search and to answer; unknown ones are ignored.',
  ).default([]),
};

const searchFields = {
  query: searchText().default('').description('Case and accents are ignored; % and _ are plain characters.'),
  matchMode: Joi.string()
    .valid(...matchModes)
    .default('Contains')
    .description('where the query must stand in the value or label'),
  ...labelFields,
};

export interface SearchQuery {
  query: string;
  matchMode: MatchMode;
  locale?: string;
  includeLocales: string[];
}

export type ItemsQuery = SearchQuery & PageQuery;

export const itemsQuery = Joi.object<ItemsQuery>({ ...searchFields, ...pageQuery(25, pageLimit) });

export interface PublicSearchQuery extends SearchQuery {
  page?: number;
  pageSize?: number;
  skip?: number;
  take?: number;
}

const count = Joi.number().integer().max(2_147_483_647);

/** Pages are asked for by number, or by `skip` and `take`; not by both. */
export const publicSearchQuery = Joi.object<PublicSearchQuery>({
  ...searchFields,
  page: count.min(1).description('Number of the page, from 1.'),
  pageSize: count.min(1).max(pageLimit).description('Records on a page; 25 unless told.'),
  skip: count.min(0).description('Records to leave out, instead of a page.'),
  take: count.min(1).max(pageLimit).description('Most records of the answer; 25 unless told.'),
})
  .without('skip', ['page', 'pageSize'])
  .without('take', ['page', 'pageSize'])
  .messages({
    'object.without':
      'cannot be combined with {{#peer}}: a page is asked for by page and pageSize, or by skip and take',
  });

export interface DisplayValuesQuery {
  values: string[];
  locale?: string;
  includeLocales: string[];
}

/** The parameters as they came; see `displayValues` for which values they name. */
const values = Joi.any<string[]>()
  .custom((given: unknown, helpers) => {
    const texts = (Array.isArray(given) ? given : [given]).map(String);
    const parts = texts.flatMap((text) => text.split(','));
    return parts.length <= valuesLimit
      ? texts
      : helpers.message({ custom: `may hold at most ${valuesLimit} values` });
  })
  .meta({ jsonSchema: { type: 'array', items: { type: 'string' }, maxItems: valuesLimit } });

export const displayValuesQuery = Joi.object<DisplayValuesQuery>({
  values: values
    .default([])
    .description(
      'Repeated, or comma-separated. A parameter with a comma that is a value of the list as a whole means that value.',
    ),
  ...labelFields,
});

export const publicParams = Joi.object<{ formId: string; dataListId: string }>({
  formId: idSchema.required().description('the form of the token'),
  dataListId: idSchema.required().description('a data list that the form may read'),
});
