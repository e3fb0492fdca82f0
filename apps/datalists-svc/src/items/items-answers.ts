import { dataListItemExample, dataListItemSchema, exactObject, wireDate, wireId } from '@canvass/contracts';
import { pageOf, pageSchema, revisionHeader, type DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import type { VersionView } from './restore-version';

/** Responses of the operations on the items of a list, for documents and tests. */

const itemExample = { ...dataListItemExample, labels: { default: 'Iceland', nl: 'IJsland' } };

export const pageOfItems: DescribedAnswer = {
  description: 'A page of items: exact matches, then prefix matches, then the rest, each sorted by label.',
  body: pageSchema('DataListItemPage', dataListItemSchema),
  headers: revisionHeader,
  example: pageOf([itemExample], 1, { page: 1, pageSize: 25 }),
};

export const displayedValues: DescribedAnswer = {
  description: 'The items with the values, in the requested order. Unknown values are omitted.',
  body: Joi.array().items(dataListItemSchema),
  headers: revisionHeader,
  example: [itemExample],
};

const versionExample: VersionView = {
  number: 3,
  cause: 'restored',
  restoredFrom: 1,
  itemsCount: 249,
  defaultLocale: 'en',
  availableLocales: ['en', 'nl'],
  revision: '7',
  isCurrent: true,
  createdAt: '2026-11-20T08:12:45.120Z',
};

const count = Joi.number().integer().max(2_147_483_647);

const version = exactObject<VersionView>('DataListVersion', {
  number: count.min(1).description('number of the version within the list, from 1'),
  cause: Joi.string()
    .valid('imported', 'restored', 'default_locale_changed', 'locale_removed')
    .description('cause of the version'),
  restoredFrom: count.min(1).allow(null).description('the version that it restores, or null'),
  itemsCount: count.min(0).description('number of items'),
  defaultLocale: Joi.string().description('default locale of the list in this version'),
  availableLocales: Joi.array().items(Joi.string()).description('locales of the list in this version'),
  revision: wireId.description('revision of the list when the version was created'),
  isCurrent: Joi.boolean().description('whether it is the current version'),
  createdAt: wireDate.description('when it was created'),
})
  .description('All items of a list at one time.')
  .example(versionExample);

export const pageOfVersions: DescribedAnswer = {
  description: 'A page of the versions that are kept, the current one first.',
  body: pageSchema('DataListVersionPage', version),
  example: pageOf([versionExample], 1, { page: 1, pageSize: 10 }),
};

export const removedLocale: DescribedAnswer = {
  description: 'The locale and its labels are removed from the list.',
};
