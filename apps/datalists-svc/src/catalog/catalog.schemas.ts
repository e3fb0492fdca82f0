import type { ListOrder } from '@canvass/contracts';
import { idSchema, pageQuery, searchText, visibleText, type PageQuery } from '@canvass/service-kit';
import Joi from 'joi';
import { normalizeCultureKey } from './culture-key';

/** Maximum number of locales of a list. */
export const localesLimit = 128;

export const listParams = Joi.object<{ id: string }>({
  id: idSchema.required().description('id of the data list'),
});

const culture = '\\s*[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*\\s*';

/** Cultures separated by commas; empty ones are left out. */
export const culturesPattern = `^(${culture}|\\s*)(,(${culture}|\\s*))*$`;

/** A normalized culture key. `default` and `value` have other meanings and are rejected. */
export const localeKey = Joi.string()
  .custom(
    (text: string, helpers) =>
      normalizeCultureKey(text) ??
      helpers.message({
        custom: 'must be a culture code such as "en" or "pt-br", not "default" and not "value"',
      }),
  )
  .description('Culture code in any case; not "default" and not "value".')
  .meta({
    jsonSchema: { type: 'string', pattern: `^${culture}$`, maxLength: 35 },
  })
  .example('pt-br');

export const localeList = Joi.array<string[]>()
  .items(localeKey)
  .max(localesLimit)
  .custom((keys: string[]) => [...new Set(keys)]);

/** A list from repeated query parameters or one comma-separated value. Blank parts are dropped. */
export const commaList = (max: number, description: string, pattern?: string): Joi.Schema<string[]> =>
  Joi.any<string[]>()
    .custom((given: unknown, helpers) => {
      const texts = (Array.isArray(given) ? given : [given]).flatMap((text) => String(text).split(','));
      const parts = texts.map((text) => text.trim()).filter((text) => text !== '');
      return parts.length <= max ? parts : helpers.message({ custom: `must have at most ${max} entries` });
    })
    .description(description)
    .meta({
      jsonSchema: { type: 'array', items: { type: 'string', ...(pattern && { pattern }) }, maxItems: max },
    });

const name = visibleText(200).description('name of the list').example('Countries');
const description = Joi.string()
  .allow('', null)
  .max(2000)
  .description('purpose of the list')
  .example('ISO 3166-1');
const isActive = Joi.boolean().description('if false, its public search is a 404');
const order = Joi.string()
  .valid('label', 'file')
  .description(
    'what sorts the items: `label`, the shown label; `file`, their order in the import, which a search keeps, too',
  );

export interface NewList {
  name: string;
  description: string | null;
  isActive: boolean;
  defaultLocale: string;
  availableLocales: string[];
  order: ListOrder;
}

/** Other operations change the locales of a list. Here they must be unchanged. */
export type ListPatch = Partial<NewList>;

export const newListBody = Joi.object<NewList>({
  name: name.required(),
  description: description.default(null),
  isActive: isActive.default(true),
  defaultLocale: localeKey.default('en').description('culture key of the label `default`'),
  availableLocales: localeList.default([]).description('further locales of the labels'),
  order: order.default('label'),
}).example({
  name: 'Countries',
  description: 'ISO 3166-1',
  defaultLocale: 'en',
  availableLocales: ['de', 'pt-br'],
});

/** Members of the response that a client may send back with a change. They have no effect. */
const readOnly = Object.fromEntries(
  ['id', 'itemsCount', 'items', 'revision', 'createdAt', 'modifiedAt'].map((key) => [key, Joi.any().strip()]),
);

export const patchBody = Joi.object<ListPatch>({
  ...readOnly,
  name,
  description,
  isActive,
  defaultLocale: localeKey.description('must not change; use PUT .../default-locale'),
  availableLocales: localeList.description('must not change; use POST and DELETE .../locales'),
  order,
}).example({ name: 'Countries', isActive: false });

export interface ListsQuery extends PageQuery {
  search: string;
  hasLocale?: string[];
}

export const listsQuery = Joi.object<ListsQuery>({
  ...pageQuery(10),
  search: searchText()
    .default('')
    .description('Contained in name or description; case and accents are ignored.'),
  hasLocale: commaList(
    localesLimit,
    'Lists with one of these locales, as available or default locale. Empty for no filter.',
  ).custom((locales: string[], helpers) => {
    const { original } = helpers as { original: unknown };
    return locales.length > 0 || original === ''
      ? locales
      : helpers.message({ custom: 'must name a locale' });
  }),
});

export interface ListQuery {
  includeItems: boolean;
}

export const listQuerySchema = Joi.object<ListQuery>({
  includeItems: Joi.boolean().default(true).description('If false, the items are omitted.'),
});
