import { exactObject, type DataListItem } from '@canvass/contracts';
import { pageExample, pageMembers, searchText, type DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import { differenceKinds, type Difference, type ItemDifference } from './difference.sql';
import type { DifferencePage } from './read-difference';

/** Query and response of the operations on differences. */

export const differenceMembers = {
  kind: Joi.string()
    .valid(...differenceKinds)
    .default('changed')
    .description('which items'),
  query: searchText()
    .default('')
    .description('Contained in the value or a label; case and accents are ignored.'),
  counts: Joi.boolean().default(false).description('whether all items of each kind are counted'),
};

const count = Joi.number().integer().min(0);

export const differenceCounts = {
  added: count.description('number of new values'),
  changed: count.description('number of values with changed labels'),
  removed: count.description('number of removed values'),
  unchanged: count.description('number of values with the same labels'),
};

const labels = (what: string) =>
  Joi.object<DataListItem['labels']>()
    .pattern(Joi.string(), Joi.string().allow(''))
    .allow(null)
    .description(what);

const example: DifferencePage = {
  ...pageExample({ value: 'IS', before: { default: 'Island' }, after: { default: 'Iceland' } }),
  counts: { added: 2, changed: 1, removed: 0, unchanged: 246 },
};

const itemDifference = exactObject<ItemDifference>('ItemDifference', {
  value: Joi.string().description('invariant key of the item'),
  before: labels('former labels; null for an added item'),
  after: labels('later labels; null for a removed item'),
});

export const differencePage: DescribedAnswer = {
  description:
    'Items of the kind, by value. One request reads 10,000 items of each version at most, with `query` 2,000: a page may have fewer items than `limit`, even none, before the last one. Go on while there is a `next`.',
  body: Joi.object({
    ...pageMembers(itemDifference),
    counts: exactObject<Difference>('DifferenceCounts', differenceCounts)
      .allow(null)
      .required()
      .description('null unless asked'),
  }).id('DifferencePage'),
  example,
};
