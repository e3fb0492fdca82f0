import type { KeyRing } from '@canvass/auth';
import type { Database } from '@canvass/postgres';
import { endpoint, idSchema, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { formAccessKeys, formAccessToken } from './access-token-answers';
import { issueFormAccessToken } from './issue-token';

export function accessTokenRoutes(deps: { db: Database; keys: KeyRing }): Endpoint[] {
  return [
    endpoint.write({
      method: 'post',
      path: '/api/public/forms/:formId/access-tokens',
      operationId: 'issueFormAccessToken',
      summary: 'A token for the data lists of one form: anonymous if the form is public and enabled',
      description:
        'It opens the data lists that the form names now, for 60 minutes, and nothing else. A form that is not public requires the permission `Submissions.Create`.',
      access: 'optional',
      params: Joi.object<{ formId: string }>({ formId: idSchema.description('id of the form') }),
      answers: { 200: formAccessToken },
      problems: ['authentication_required', 'permission_denied', 'form_disabled'],
      handle: async ({ params, principal }) => ok(await issueFormAccessToken(deps, params.formId, principal)),
    }),
    endpoint.read({
      method: 'get',
      path: '/.well-known/form-access-jwks.json',
      operationId: 'getFormAccessKeys',
      summary: 'Public keys of form-access tokens (RFC 7517)',
      access: 'anonymous',
      answers: { 200: formAccessKeys },
      // A verifier that meets an unknown key asks again at once, so that a short life costs nothing.
      handle: () =>
        Promise.resolve(ok(deps.keys.jwks(), { headers: { 'Cache-Control': 'public, max-age=300' } })),
    }),
  ];
}
