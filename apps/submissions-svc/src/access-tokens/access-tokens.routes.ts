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
      audit: { notRecorded: 'reads nothing but the lists that a form shows' },
      summary: 'A token for the data lists of one form: anonymous if the form is public and enabled',
      description:
        'It permits reading the current data lists of the form for 60 minutes, and nothing else. A form that is not public requires the permission `Submissions.Create`. An anonymous token ends when the form becomes private.',
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
      description:
        'For services that verify form-access tokens themselves. Select the key by the `kid` of the token. Keys rotate; the next one is in the set before it signs.',
      access: 'anonymous',
      answers: { 200: formAccessKeys },
      // Short, because a verifier fetches the set again for an unknown key anyway.
      handle: () =>
        Promise.resolve(ok(deps.keys.jwks(), { headers: { 'Cache-Control': 'public, max-age=300' } })),
    }),
  ];
}
