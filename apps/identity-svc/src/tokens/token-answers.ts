import { permissions, type CurrentPrincipal } from '@canvass/auth';
import { exactObject, wireDate } from '@canvass/contracts';
import { revisionHeader, type DescribedAnswer, type Wire } from '@canvass/service-kit';
import Joi from 'joi';
import { rolesSchema } from '../users';
import type { TokenAnswer } from './client-credentials';
import type { Session } from './session';

/** Responses of the sign-in operations, for documents and tests. */

const accessToken = 'eyJhbGciOiJSUzI1NiIsImtpZCI6Ii4uLiJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl';

const sessionExample: Wire<Session> = {
  accessToken,
  refreshToken: 'Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZmdoaWo',
  expiresAtUtc: '2026-11-20T09:49:12.345Z',
};

const session = exactObject<Wire<Session>>('Session', {
  accessToken: Joi.string().description('for `Authorization: Bearer`; a JSON Web Token'),
  refreshToken: Joi.string().description('can be exchanged once for new tokens'),
  expiresAtUtc: wireDate.description('when the access token expires'),
})
  .description('The tokens of a signed-in user.')
  .example(sessionExample);

export const newSession: DescribedAnswer = {
  description: 'Tokens of the caller.',
  body: session,
  example: sessionExample,
};

const browserExample = { accessToken, expiresAtUtc: sessionExample.expiresAtUtc };
const cookieHeader = { 'Set-Cookie': 'the refresh token, for this path and below' };

export const browserSession: DescribedAnswer = {
  description: 'An access token; the refresh token is in the cookie.',
  body: exactObject<Omit<Wire<Session>, 'refreshToken'>>('BrowserSession', {
    accessToken: Joi.string().description('for `Authorization: Bearer`; a JSON Web Token'),
    expiresAtUtc: wireDate.description('when the access token expires'),
  })
    .description('The access token of a signed-in user.')
    .example(browserExample),
  headers: cookieHeader,
  example: browserExample,
};

export const endedBrowserSession: DescribedAnswer = {
  description: 'There is no session any more.',
  headers: { 'Set-Cookie': 'removes the cookie' },
};

export const endedSession: DescribedAnswer = { description: 'The refresh token is not valid any more.' };

const meExample: CurrentPrincipal = {
  subject: '186512345670000128',
  kind: 'user',
  provider: 'Service',
  tenantId: '1',
  tenantName: 'Example',
  email: 'grace@example.org',
  name: 'Grace Hopper',
  roles: ['Viewer'],
  permissions: ['Forms.View', 'Submissions.View', 'DataLists.View'],
};

const me = exactObject<CurrentPrincipal>('CurrentPrincipal', {
  subject: Joi.string().description('`sub` of the token'),
  kind: Joi.string()
    .valid('user', 'service', 'external')
    .description('a user or a service account of this service, or of an external identity provider'),
  provider: Joi.string().description('issuer of the token; `Service` is this service'),
  tenantId: Joi.string().description('tenant of the caller'),
  tenantName: Joi.string().allow(null).description('null for a tenant that only the external provider knows'),
  email: Joi.string().allow('', null).description('of the user, or of the token'),
  name: Joi.string().allow('', null).description('of the user, or of the token'),
  roles: rolesSchema.description('roles in the token'),
  permissions: Joi.array()
    .items(Joi.string().valid(...permissions))
    .description('permissions of the roles'),
})
  .description('The caller.')
  .example(meExample);

export const theCaller: DescribedAnswer = {
  description: 'The caller of the token.',
  body: me,
  headers: revisionHeader,
  example: meExample,
};

type Issued = Exclude<TokenAnswer, { error: string }>;
type Refused = Exclude<TokenAnswer, Issued>;

const uncached = { 'Cache-Control': '`no-store`', Pragma: '`no-cache`' } as const;

export const issuedToken: DescribedAnswer = {
  description: 'An access token (RFC 6749, section 5.1).',
  body: exactObject<Issued>('IssuedToken', {
    access_token: Joi.string().description('for `Authorization: Bearer`; a JSON Web Token'),
    token_type: Joi.string().valid('Bearer').description('how the token is sent'),
    expires_in: Joi.number().integer().min(1).description('lifetime in seconds'),
  }),
  headers: uncached,
  example: { access_token: accessToken, token_type: 'Bearer', expires_in: 900 },
};

const refusal = exactObject<Refused>('OAuthError', {
  error: Joi.string()
    .valid('invalid_request', 'invalid_client', 'unsupported_grant_type')
    .description('code of RFC 6749'),
  error_description: Joi.string().description('for people'),
}).description('An error of RFC 6749, section 5.2.');

export const refusedRequest: DescribedAnswer = {
  description: 'The request does not follow RFC 6749.',
  body: refusal,
  headers: uncached,
  example: {
    error: 'unsupported_grant_type',
    error_description: 'Only client_credentials is supported here.',
  },
};

export const refusedClient: DescribedAnswer = {
  description: 'The client is unknown or its secret is wrong.',
  body: refusal,
  headers: { ...uncached, 'WWW-Authenticate': 'the challenge `Basic`' },
  example: {
    error: 'invalid_client',
    error_description: 'The client is unknown or its secret is wrong.',
  },
};
