import { keySetExample, keySetSchema } from '@canvass/auth';
import { exactObject, wireDate } from '@canvass/contracts';
import type { DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import type { FormAccessToken } from './issue-token';

const example: FormAccessToken = {
  token:
    'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6ImsxIn0.eyJhdWQiOiJjYW52YXNzLWZvcm0tYWNjZXNzIn0.c2lnbmF0dXJl',
  expiresAtUtc: '2026-11-20T10:30:00.000Z',
};

export const formAccessToken: DescribedAnswer = {
  description: 'The token and its expiry, 60 minutes from now.',
  body: exactObject<FormAccessToken>('FormAccessToken', {
    token: Joi.string().description('a JWT; send it as a bearer token with reads of data lists'),
    expiresAtUtc: wireDate.description('when the token ends'),
  })
    .description('A token for the data lists of one form.')
    .example(example),
  example,
};

export const previewToken: DescribedAnswer = {
  ...formAccessToken,
  description: 'The token and its expiry, 10 minutes from now.',
};

export const formAccessKeys: DescribedAnswer = {
  description: 'The keys.',
  body: keySetSchema,
  headers: {
    'Cache-Control': 'how long verifiers may cache the set; they fetch it again for an unknown key',
  },
  example: keySetExample,
};
