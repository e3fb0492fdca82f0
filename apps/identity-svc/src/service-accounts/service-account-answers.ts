import { exactObject, wireDate, wireId } from '@canvass/contracts';
import {
  creationHeaders,
  pageOf,
  pageSchema,
  revisionHeader,
  type DescribedAnswer,
  type Wire,
} from '@canvass/service-kit';
import Joi from 'joi';
import { rolesSchema } from '../users';
import type { ServiceAccount } from './service-account';

/** What the operations on service accounts answer, for documents and tests. */

const example: Wire<ServiceAccount> = {
  id: '186512345670000256',
  clientId: 'sa_3fQm1yT8bC2dW9xK',
  name: 'Data warehouse',
  roles: ['Integration'],
  isEnabled: true,
  revision: '1',
  createdAt: '2026-11-18T08:00:00.000Z',
  modifiedAt: '2026-11-18T08:00:00.000Z',
};

const members: Joi.StrictSchemaMap<Wire<ServiceAccount>> = {
  id: wireId.description('id of the account, `sub` of its tokens'),
  clientId: Joi.string().description('to sign in with, as `client_id`'),
  name: Joi.string().description('what the account is for'),
  roles: rolesSchema.description('what the account may do'),
  isEnabled: Joi.boolean().description('whether it gets tokens'),
  revision: wireId.description('grows by 1 with every change'),
  createdAt: wireDate.description('when it was created'),
  modifiedAt: wireDate.description('when it was last changed'),
};

const account = exactObject<Wire<ServiceAccount>>('ServiceAccount', members)
  .description('How an integration signs in.')
  .example(example);

const newAccountExample = { ...example, clientSecret: 'cvs_Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZmdoaWo' };

const newAccount = exactObject<Wire<ServiceAccount> & { clientSecret: string }>('NewServiceAccount', {
  ...members,
  clientSecret: Joi.string().description('to sign in with, as `client_secret`; shown nowhere else'),
})
  .description('A service account with its secret.')
  .example(newAccountExample);

export const createdServiceAccount: DescribedAnswer = {
  description: 'The new account with its secret, which no other answer shows.',
  body: newAccount,
  headers: creationHeaders,
  example: newAccountExample,
};

export const oneServiceAccount: DescribedAnswer = {
  description: 'The account as it is now.',
  body: account,
  headers: revisionHeader,
  example,
};

export const pageOfServiceAccounts: DescribedAnswer = {
  description: 'A page of service accounts, by name.',
  body: pageSchema('ServiceAccountPage', account),
  example: pageOf([example], 1, { page: 1, pageSize: 10 }),
};

export const deletedServiceAccount: DescribedAnswer = {
  description: 'It is deleted and gets no more tokens.',
};
