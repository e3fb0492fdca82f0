import { actorSchema } from '@canvass/audit';
import { dataListItemExample, dataListItemSchema, exactObject, wireDate, wireId } from '@canvass/contracts';
import { listAnswer, numberedAnswer, revisionHeader, type DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import type { CoverageView } from './coverage';
import type { ItemMatch } from './explain-match';
import type { FoundItem } from './find-items';
import type { VersionView } from './restore-version';

/** Responses of the operations on the items of a list, for documents and tests. */

const itemExample = { ...dataListItemExample, labels: { default: 'Iceland', nl: 'IJsland' } };

const place = Joi.number().integer().min(0);

const match = exactObject<ItemMatch>('ItemMatch', {
  key: Joi.string().description('`value`, or the key of the label'),
  start: place.description('where the piece that matched begins, in UTF-16 units'),
  end: place.description('the place after its last unit'),
  rank: Joi.string()
    .valid('exact', 'prefix', 'contains')
    .description('what the items are sorted by first, unless by the file'),
});

const foundItem = exactObject<FoundItem>(
  'FoundItem',
  {
    value: dataListItemSchema.extract('value') as Joi.StringSchema,
    labels: dataListItemSchema.extract('labels') as Joi.ObjectSchema<Record<string, string>>,
  },
  {
    match: match.allow(null).description('with `explain`: the text that matched best; null without a query'),
  },
)
  .description('One choice, and why it was found.')
  .example(itemExample);

const order =
  'exact matches, then prefix matches, then the rest, each sorted by label; of a list with `order: file` in the order of the file';

/** The page of a list, and of a search by a form. */
export const pageOfItems: DescribedAnswer = {
  ...numberedAnswer<FoundItem>('FoundItem', foundItem, itemExample, `A page of items: ${order}.`),
  headers: revisionHeader,
};

export const itemsOfVersion: DescribedAnswer = listAnswer(
  'DataListItem',
  dataListItemSchema,
  itemExample,
  'A page of items in the order of their import.',
);

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
  createdBy: { provider: 'Service', kind: 'user', subject: '186512345600000512' },
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
  createdBy: actorSchema.allow(null).description('who created it; null if unknown'),
})
  .description('All items of a list at one time.')
  .example(versionExample);

export const pageOfVersions = listAnswer(
  'DataListVersion',
  version,
  versionExample,
  'A page of the versions that are kept, the current one first.',
);

export const removedLocale: DescribedAnswer = {
  description: 'The locale and its labels are removed from the list.',
};

const coverageExample: CoverageView = {
  itemsCount: 249,
  locales: [
    { locale: 'en', key: 'default', labelled: 249, missing: 0 },
    { locale: 'nl', key: 'nl', labelled: 208, missing: 41 },
  ],
};

export const coverageAnswer: DescribedAnswer = {
  description: 'The locales of the list in their order, the default locale first.',
  body: exactObject<CoverageView>('DataListCoverage', {
    itemsCount: count.min(0).description('number of items'),
    locales: Joi.array()
      .items(
        exactObject<CoverageView['locales'][number]>('LocaleCoverage', {
          locale: Joi.string().description('culture key'),
          key: Joi.string().description('key of its labels: `default` for the default locale'),
          labelled: count.min(0).description('items with a label'),
          missing: count.min(0).description('items without one'),
        }),
      )
      .description('each locale of the list'),
  }).example(coverageExample),
  headers: revisionHeader,
  example: coverageExample,
};
