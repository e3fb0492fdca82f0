import {
  dataListExample,
  dataListItemExample,
  dataListItemSchema,
  dataListMembers,
  dataListViewSchema,
  exactObject,
  type DataListItem,
  type DataListView,
} from '@canvass/contracts';
import { creationHeaders, numberedAnswer, revisionHeader, type DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';

/** Responses of the operations on data lists, for documents and tests. */

const withItems = exactObject<DataListView & { items?: DataListItem[] }>(
  'DataListWithItems',
  dataListMembers,
  {
    items: Joi.array()
      .items(dataListItemSchema)
      .description('in the order of their import; absent with includeItems=false'),
  },
)
  .description('A list of choices, with its items.')
  .example({ ...dataListExample, itemsCount: 1, items: [dataListItemExample] });

export const createdList: DescribedAnswer = {
  description: 'The new list; it has no items.',
  body: dataListViewSchema,
  headers: creationHeaders,
  example: { ...dataListExample, itemsCount: 0, revision: '1' },
};

/** The response to every change that returns the list. */
export const changedList: DescribedAnswer = {
  description: 'The current state of the list, without its items.',
  body: dataListViewSchema,
  headers: revisionHeader,
  example: dataListExample,
};

export const oneList: DescribedAnswer = {
  description: 'The list, with its items (streamed) or without.',
  body: withItems,
  headers: revisionHeader,
  example: { ...dataListExample, itemsCount: 1, items: [dataListItemExample] },
};

export const pageOfListsAnswer = numberedAnswer(
  'DataList',
  dataListViewSchema,
  dataListExample,
  'A page of lists, by name.',
);

export const deletedList: DescribedAnswer = {
  description: 'The list is deleted with its items and versions.',
};
