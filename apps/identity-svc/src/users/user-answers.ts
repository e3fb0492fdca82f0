import { exactObject, wireDate, wireId } from '@canvass/contracts';
import {
  creationHeaders,
  listAnswer,
  revisionHeader,
  type DescribedAnswer,
  type Wire,
} from '@canvass/service-kit';
import Joi from 'joi';
import { rolesSchema, type User } from './user';

/** Responses of the operations on users, for documents and tests. */

const example: Wire<User> = {
  id: '186512345670000128',
  email: 'grace@example.org',
  name: 'Grace Hopper',
  roles: ['Editor'],
  isEnabled: true,
  revision: '1',
  createdAt: '2026-11-18T08:00:00.000Z',
  modifiedAt: '2026-11-18T08:00:00.000Z',
  lastSignInAt: '2026-11-20T09:34:12.345Z',
};

const user = exactObject<Wire<User>>('User', {
  id: wireId.description('id of the user, `sub` of its tokens'),
  email: Joi.string().description('e-mail address for signing in, in lower case'),
  name: Joi.string().allow(null).description('name of the person'),
  roles: rolesSchema.description('roles of the user'),
  isEnabled: Joi.boolean().description('whether the user may sign in'),
  revision: wireId.description('grows by 1 with every change'),
  createdAt: wireDate.description('when it was created'),
  modifiedAt: wireDate.description('when it was last changed'),
  lastSignInAt: wireDate.allow(null).description('when it last signed in, to the minute; null: never'),
})
  .description('A user of the tenant.')
  .example(example);

export const createdUser: DescribedAnswer = {
  description: 'The new user.',
  body: user,
  headers: creationHeaders,
  example,
};

export const oneUser: DescribedAnswer = {
  description: 'The current state of the user.',
  body: user,
  headers: revisionHeader,
  example,
};

export const pageOfUsers = listAnswer('User', user, example, 'A page of users, by e-mail address.');

export const deletedUser: DescribedAnswer = {
  description: 'The user is deleted and its sessions have ended.',
};
