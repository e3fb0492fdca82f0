import type { Database } from '@canvass/postgres';
import { endpoint, idSchema, noContent, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { changedList, localeKey, localeList, listParams, refOf } from '../catalog';
import { removedLocale } from './items-answers';
import { addLocales, removeLocale, setDefaultLocale } from './locales';

const edit = { permission: 'DataLists.Edit' } as const;

const localesBody = Joi.object<{ locales?: string[]; locale?: string }>({
  locales: localeList.min(1).description('instead of `locale`'),
  locale: localeKey.description('one locale'),
})
  .xor('locales', 'locale')
  .example({ locales: ['de', 'pt-br'] });

const localeParams = Joi.object<{ id: string; locale: string }>({
  id: idSchema.required().description('id of the data list'),
  locale: localeKey.required().description('the locale'),
});

export function localeRoutes(db: Database, keptVersions: number): Endpoint[] {
  return [
    endpoint.write({
      method: 'post',
      path: '/api/data-lists/:id/locales',
      operationId: 'addDataListLocales',
      audit: { action: 'data_list.locales_added' },
      summary: 'Add locales to the catalogue of a list',
      description: 'Existing locales do not change the list.',
      access: edit,
      params: listParams,
      body: localesBody,
      answers: { 200: changedList },
      async handle(input) {
        const { locales, locale } = input.body;
        const list = await addLocales(db, refOf(input), locales ?? [locale!]);
        return ok(list, { etag: list.revision });
      },
    }),
    endpoint.write({
      method: 'delete',
      path: '/api/data-lists/:id/locales/:locale',
      operationId: 'removeDataListLocale',
      audit: { action: 'data_list.locale_removed' },
      summary: 'Remove a locale and its labels',
      description: 'The default locale cannot be removed (409). A missing locale does not change the list.',
      access: edit,
      params: localeParams,
      answers: { 204: removedLocale },
      problems: ['conflict'],
      async handle(input) {
        await removeLocale(db, refOf(input), input.params.locale, keptVersions);
        return noContent();
      },
    }),
    endpoint.write({
      method: 'put',
      path: '/api/data-lists/:id/default-locale',
      operationId: 'setDataListDefaultLocale',
      audit: { action: 'data_list.default_locale_changed' },
      summary: 'Change the default locale of the list',
      description:
        'The labels of the new locale become `default`; an item without one keeps its default label. The old default labels are kept under the old default locale. A list without items accepts any locale.',
      access: edit,
      params: listParams,
      body: Joi.object<{ defaultLocale: string }>({
        defaultLocale: localeKey
          .required()
          .description('a locale of the list, or any locale while it has no items'),
      }),
      answers: { 200: changedList },
      async handle(input) {
        const list = await setDefaultLocale(db, refOf(input), input.body.defaultLocale, keptVersions);
        return ok(list, { etag: list.revision });
      },
    }),
  ];
}
