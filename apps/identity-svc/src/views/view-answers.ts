import { exactObject, wireDate, wireId } from '@canvass/contracts';
import {
  creationHeaders,
  listAnswer,
  revisionHeader,
  type DescribedAnswer,
  type Wire,
} from '@canvass/service-kit';
import Joi from 'joi';
import type { Preferences } from './preferences';
import type { SavedView } from './view';

/** Responses of the operations on views and preferences, for documents and tests. */

const example: Wire<SavedView> = {
  id: '186512345670000512',
  screen: 'submissions',
  scopeId: '186512345670000064',
  name: 'To review',
  visibility: 'me',
  isDefault: false,
  settings: { columns: ['status', 'createdAt'], filter: ['status:new'] },
  isOwn: true,
  revision: '1',
  createdAt: '2026-11-20T09:34:12.345Z',
  modifiedAt: '2026-11-20T09:34:12.345Z',
};

const settings = Joi.object().description('as a client sent them');

const view = exactObject<Wire<SavedView>>('View', {
  id: wireId.description('id of the view'),
  screen: Joi.string().description('the list that it is a view of'),
  scopeId: wireId
    .allow(null)
    .description('the form or list whose rows are shown; null: the list of the tenant'),
  name: Joi.string().description('name of the view'),
  visibility: Joi.string()
    .valid('me', 'tenant')
    .description('who sees it: its owner, or everybody in the tenant'),
  isDefault: Joi.boolean().description(
    'whether the list opens with it; one of the owner wins over one of the tenant',
  ),
  settings,
  isOwn: Joi.boolean().description('whether the caller is its owner'),
  revision: wireId.description('grows by 1 with every change'),
  createdAt: wireDate.description('when it was created'),
  modifiedAt: wireDate.description('when it was last changed'),
})
  .description('A saved view of a list in a console.')
  .example(example);

export const pageOfViews = listAnswer('View', view, example, 'A page of views, newest first.');

export const createdView: DescribedAnswer = {
  description: 'The new view.',
  body: view,
  headers: creationHeaders,
  example,
};

export const oneView: DescribedAnswer = {
  description: 'The view.',
  body: view,
  headers: revisionHeader,
  example,
};

const preferencesExample: Preferences = { settings: { language: 'de', density: 'compact' }, revision: '3' };

export const ownPreferences: DescribedAnswer = {
  description: 'The preferences.',
  body: exactObject<Preferences>('Preferences', {
    settings,
    revision: Joi.string()
      .pattern(/^(0|[1-9][0-9]{0,18})$/)
      .meta({ format: 'int64' })
      .description('grows by 1 with every save; `0` before the first'),
  })
    .description('Preferences of a person in a console.')
    .example(preferencesExample),
  headers: revisionHeader,
  example: preferencesExample,
};
