import type { ReviewStatus } from '@canvass/contracts';
import type { Database } from '@canvass/postgres';
import {
  endpoint,
  idSchema,
  noContent,
  ok,
  pageQuery,
  type Endpoint,
  type PageQuery,
} from '@canvass/service-kit';
import Joi from 'joi';
import { removeSubmission, reviewSubmission } from './change-submission';
import { pageOfSubmissions, readSubmission } from './read-submission';
import { saveSubmission } from './save-submission';
import { dropSubmitterFields, staffSchema } from './submission-body';

export interface SubmissionDeps {
  db: Database;
  /** Tells the dispatcher that the outbox holds something new. */
  wake(): void;
}

const formParams = Joi.object<{ formId: string }>({ formId: idSchema });
const params = Joi.object<{ formId: string; submissionId: string }>({
  formId: idSchema,
  submissionId: idSchema,
});
const list = '/api/forms/:formId/submissions';
const one = `${list}/:submissionId`;

/** What PUT puts in place of members that are not sent. `isComplete` stays: completion cannot be undone. */
const empty = { currentPage: 0, jsonData: '{}', metadata: '{}' };

/** Management of submissions by the tenant's staff. */
export function submissionRoutes(deps: SubmissionDeps): Endpoint[] {
  const { db } = deps;
  return [
    endpoint.read({
      method: 'get',
      path: list,
      operationId: 'listSubmissions',
      summary: 'Submissions of a form, newest first',
      access: { permission: 'Submissions.View' },
      params: formParams,
      query: Joi.object<PageQuery>(pageQuery()),
      handle: async ({ principal, params: { formId }, query }) =>
        ok(await pageOfSubmissions(db, principal!.tenantId, formId, query)),
    }),
    endpoint.read({
      method: 'get',
      path: one,
      operationId: 'getSubmission',
      summary: 'One submission',
      access: { permission: 'Submissions.View' },
      params,
      async handle({ principal, params: { formId, submissionId } }) {
        const view = await readSubmission(db, principal!.tenantId, formId, submissionId);
        return ok(view, { etag: view.revision });
      },
    }),
    ...(['put', 'patch'] as const).map((method) =>
      endpoint.write({
        method,
        path: one,
        operationId: method === 'put' ? 'replaceSubmission' : 'changeSubmission',
        summary: method === 'put' ? 'Replaces a submission' : 'Changes the members that are sent',
        access: { permission: 'Submissions.Edit' },
        params,
        body: staffSchema,
        async handle({ principal, params: { formId, submissionId }, body, ifMatch, traceparent }) {
          const { changes } = dropSubmitterFields(body);
          const view = await saveSubmission(deps, {
            tenantId: principal!.tenantId,
            formId,
            target: { id: submissionId },
            changes: method === 'put' ? { ...empty, ...changes } : changes,
            metadata: method === 'put' ? 'replace' : 'merge',
            ifMatch,
            traceparent,
          });
          return ok(view, { etag: view.revision });
        },
      }),
    ),
    endpoint.write({
      method: 'delete',
      path: one,
      operationId: 'deleteSubmission',
      summary: 'Deletes a submission softly and frees its gate',
      access: { permission: 'Submissions.Delete' },
      params,
      async handle({ principal, params, ifMatch, traceparent }) {
        await removeSubmission(deps, { tenantId: principal!.tenantId, ...params, ifMatch, traceparent });
        return noContent();
      },
    }),
    endpoint.write({
      method: 'post',
      path: `${one}/status`,
      operationId: 'reviewSubmission',
      summary: "Sets the reviewers' word; no webhook tells of it",
      access: { permission: 'Submissions.Edit' },
      params,
      body: Joi.object<{ status: ReviewStatus }>({
        status: Joi.string().valid('new', 'read', 'approved', 'declined').required(),
      }),
      async handle({ principal, params, body, ifMatch, traceparent }) {
        const change = { tenantId: principal!.tenantId, ...params, ifMatch, traceparent };
        const view = await reviewSubmission(deps, change, body.status);
        return ok(view, { etag: view.revision });
      },
    }),
  ];
}
