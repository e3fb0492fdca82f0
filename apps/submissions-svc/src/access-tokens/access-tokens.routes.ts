import { requirePermission, type KeyRing } from '@canvass/auth';
import type { Database } from '@canvass/postgres';
import { endpoint, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { formParams } from '../form-params';
import { dataListIdsSchema } from '../forms';
import { endedLink, linkHeader, linkOf } from '../links';
import { formAccessKeys, formAccessToken, previewToken } from './access-token-answers';
import { issueFormAccessToken, issuePreviewToken } from './issue-token';

const previewBody = Joi.object<{ dataListIds: string[] }>({
  dataListIds: dataListIdsSchema.required().description('data lists that the preview may read'),
})
  .example({ dataListIds: ['7123456789012345678'] })
  .id('PreviewTokenBody');

export function accessTokenRoutes(deps: { db: Database; keys: KeyRing }): Endpoint[] {
  return [
    endpoint.write({
      method: 'post',
      path: '/api/public/forms/:formId/access-tokens',
      operationId: 'issueFormAccessToken',
      audit: { notRecorded: 'reads nothing but the lists that a form shows' },
      summary: 'A token for the data lists of one form: anonymous if the form is public and enabled',
      description:
        'It permits reading the current data lists of the form for 60 minutes, and nothing else. A form that is not public requires the permission `Submissions.Create`, or a link to a submission of it, which gets ten minutes. An anonymous token ends when the form becomes private, any other one with the access tokens of the account that it was issued to.',
      access: 'optional',
      params: formParams,
      headers: linkHeader,
      answers: { 200: formAccessToken },
      problems: ['authentication_required', 'permission_denied', 'form_disabled', ...endedLink],
      handle: async ({ params, principal, headers }) =>
        ok(await issueFormAccessToken(deps, params.formId, principal, linkOf(headers))),
    }),
    endpoint.write({
      method: 'post',
      path: '/api/forms/:formId/preview-tokens',
      operationId: 'issuePreviewToken',
      audit: { notRecorded: 'reads nothing but lists that its caller may see' },
      summary: 'A token for a preview of the form with data lists that are not saved yet',
      description:
        'It permits what a form-access token permits, for the given lists and for 10 minutes. The form may be disabled, and need not name the lists. Lists require `DataLists.View`, too. It ends with the access tokens of the account that it was issued to.',
      access: { permission: 'Forms.Edit' },
      params: formParams,
      body: previewBody,
      answers: { 200: previewToken },
      async handle({ params: { formId }, body: { dataListIds }, principal }) {
        if (dataListIds.length > 0) requirePermission(principal, 'DataLists.View');
        return ok(await issuePreviewToken(deps, { formId, dataListIds }, principal));
      },
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
