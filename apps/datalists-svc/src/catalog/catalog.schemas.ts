import { idSchema, pageQuery, searchText, visibleText, type PageQuery } from '@canvass/service-kit';
import Joi from 'joi';
import { normalizeCultureKey } from './culture-key';
import type { ListPatch, NewList } from './write-list';

/** Most locales of a list. */
export const localesLimit = 128;

export const listParams = Joi.object<{ id: string }>({
  id: idSchema.required().description('id of the data list'),
});

/** A culture key as it is stored; `default` and `value` have another meaning and are refused. */
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
    jsonSchema: { type: 'string', pattern: '^\\s*[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*\\s*$', maxLength: 35 },
  })
  .example('pt-br');

export const localeList = Joi.array<string[]>()
  .items(localeKey)
  .max(localesLimit)
  .custom((keys: string[]) => [...new Set(keys)]);

/** Repeated query parameters, or one comma-separated value, as one list; blank parts are dropped. */
export const commaList = (largest: number, description: string): Joi.Schema<string[]> =>
  Joi.any<string[]>()
    .custom((given: unknown, helpers) => {
      const texts = (Array.isArray(given) ? given : [given]).flatMap((text) => String(text).split(','));
      const parts = texts.map((text) => text.trim()).filter((text) => text !== '');
      return parts.length <= largest
        ? parts
        : helpers.message({ custom: `may hold at most ${largest} entries` });
    })
    .description(description)
    .meta({ jsonSchema: { type: 'array', items: { type: 'string' }, maxItems: largest } });

const name = visibleText(200).description('what the list is called').example('Countries');
const description = Joi.string()
  .allow('', null)
  .max(2000)
  .description('what the list is for')
  .example('ISO 3166-1');
const isActive = Joi.boolean().description('false: its public search is a 404');

export const newListBody = Joi.object<NewList>({
  name: name.required(),
  description: description.default(null),
  isActive: isActive.default(true),
  defaultLocale: localeKey.default('en').description('what the label `default` stands for'),
  availableLocales: localeList.default([]).description('further locales that labels may have'),
});

/** Members of the answer that a client may send back with a change; they have no effect. */
const readOnly = Object.fromEntries(
  ['id', 'itemsCount', 'items', 'revision', 'createdAt', 'modifiedAt'].map((key) => [key, Joi.any().strip()]),
);

export const patchBody = Joi.object<ListPatch>({
  ...readOnly,
  name,
  description,
  isActive,
  defaultLocale: localeKey.description('as it is; PUT .../default-locale changes it'),
  availableLocales: localeList.description('as they are; POST and DELETE .../locales change them'),
});

export interface ListsQuery extends PageQuery {
  search: string;
  hasLocale?: string[];
}

export const listsQuery = Joi.object<ListsQuery>({
  search: searchText()
    .default('')
    .description('Contained in name or description; case and accents are ignored.'),
  hasLocale: commaList(
    localesLimit,
    'The list has one of these locales, as available or as default locale. Empty: not asked for.',
  ).custom((locales: string[], helpers) => {
    const { original } = helpers as { original: unknown };
    return locales.length > 0 || original === ''
      ? locales
      : helpers.message({ custom: 'must name a locale' });
  }),
  ...pageQuery(),
});

export interface ListQuery {
  includeItems: boolean;
}

export const listQuerySchema = Joi.object<ListQuery>({
  includeItems: Joi.boolean().default(true).description('false: without the item rows.'),
});
