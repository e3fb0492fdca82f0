import { exactObject, wireDate, wireId } from '@canvass/contracts';
import {
  creationHeaders,
  listAnswer,
  revisionHeader,
  type DescribedAnswer,
  type Wire,
} from '@canvass/service-kit';
import Joi from 'joi';
import { rolesSchema } from '../users';
import type { ServiceAccount } from './service-account';

/** Responses of the operations on service accounts, for documents and tests. */

const example: Wire<ServiceAccount> = {
  id: '186512345670000256',
  clientId: 'sa_3fQm1yT8bC2dW9xK',
  name: 'Data warehouse',
  roles: ['Integration'],
  isEnabled: true,
  expiresAt: null,
  lastUsedAt: '2026-11-20T09:34:12.345Z',
  formIds: null,
  previousSecretExpiresAt: null,
  revision: '1',
  createdAt: '2026-11-18T08:00:00.000Z',
  modifiedAt: '2026-11-18T08:00:00.000Z',
};

const members: Joi.StrictSchemaMap<Wire<ServiceAccount>> = {
  id: wireId.description('id of the account, `sub` of its tokens'),
  clientId: Joi.string().description('`client_id` for signing in'),
  name: Joi.string().description('purpose of the account'),
  roles: rolesSchema.description('roles of the account'),
  isEnabled: Joi.boolean().description('whether it can get tokens'),
  expiresAt: wireDate.allow(null).description('when it stops to get tokens; null: never'),
  lastUsedAt: wireDate.allow(null).description('when it last got a token, to the minute; null: never'),
  formIds: Joi.array()
    .items(wireId)
    .allow(null)
    .description('forms that it is restricted to; null: all forms'),
  previousSecretExpiresAt: wireDate
    .allow(null)
    .description('until when the secret before the last rotation is valid; null: it is not'),
  revision: wireId.description('grows by 1 with every change'),
  createdAt: wireDate.description('when it was created'),
  modifiedAt: wireDate.description('when it was last changed'),
};

const account = exactObject<Wire<ServiceAccount>>('ServiceAccount', members)
  .description('The credentials of an integration.')
  .example(example);

const newAccountExample = { ...example, clientSecret: 'cvs_Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZmdoaWo' };

const newAccount = exactObject<Wire<ServiceAccount> & { clientSecret: string }>('CreatedServiceAccount', {
  ...members,
  clientSecret: Joi.string().description('`client_secret` for signing in; no other response contains it'),
})
  .description('A service account with its secret.')
  .example(newAccountExample);

export const createdServiceAccount: DescribedAnswer = {
  description: 'The new account with its secret, which no other response contains.',
  body: newAccount,
  headers: creationHeaders,
  example: newAccountExample,
};

export const rotatedSecret: DescribedAnswer = {
  description: 'The account with its new secret, which no other response contains.',
  body: newAccount,
  headers: revisionHeader,
  example: { ...newAccountExample, previousSecretExpiresAt: '2026-11-21T09:34:12.345Z' },
};

export const oneServiceAccount: DescribedAnswer = {
  description: 'The current state of the account.',
  body: account,
  headers: revisionHeader,
  example,
};

export const pageOfServiceAccounts = listAnswer(
  'ServiceAccount',
  account,
  example,
  'A page of service accounts, by name.',
);

export const deletedServiceAccount: DescribedAnswer = {
  description: 'The account is deleted and gets no more tokens.',
};
