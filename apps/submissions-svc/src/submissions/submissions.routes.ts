import { requirePermission } from '@canvass/auth';
import type { ReviewStatus } from '@canvass/contracts';
import type { Wake } from '@canvass/outbox';
import type { Database, IdempotencyUnit } from '@canvass/postgres';
import {
  digestOf,
  endpoint,
  idSchema,
  listParameters,
  noContent,
  ok,
  periodOf,
  periodParameters,
  type Endpoint,
  type IdempotencyStore,
  type PeriodQuery,
} from '@canvass/service-kit';
import Joi from 'joi';
import { formParams } from '../form-params';
import type { AnswerCheck } from '../answer-check';
import { eraseSubmission } from '../erasure';
import type { ReadListLabels } from '../list-labels';
import type { SubmissionUse } from '../quotas';
import { removeSubmission, reviewSubmission, undeleteSubmission } from './change-submission';
import { countSubmissionsByDay } from './count-submissions';
import { exportSubmissions } from './export-submissions';
import { checkExport, exportBody, filterOf, listQuery } from './filter-query';
import { listSubmissions } from './list-submissions';
import { pageOfVersions, readSubmission } from './read-submission';
import { submissionOverview } from './overview-answers';
import { readOverview } from './read-overview';
import { saveSubmission } from './save-submission';
import { submissionStats } from './stats-answers';
import { statsQuery } from './stats-query';
import {
  exportedSubmissions,
  oneSubmission,
  pageOfSubmissionsAnswer,
  pageOfVersionsAnswer,
  restoredSubmission,
  reviewedSubmission,
  savedSubmission,
} from './submission-answers';
import { answerBytes, dropSubmitterFields, type SubmissionBodies } from './submission-body';
import type { TokenRevocations } from './submission-token';

export interface SubmissionDeps {
  db: Database;
  readListLabels: ReadListLabels;
  answerCheck: AnswerCheck;
  wake: Wake;
  /** The stored profile fields of respondents (`Service:Submitter:ProfileSnapshotFields`). */
  profileFields: readonly string[];
  idempotency: IdempotencyStore<IdempotencyUnit>;
  bodies: SubmissionBodies;
  /** Counts towards the quotas of the tenant. */
  use: SubmissionUse;
  revocations: TokenRevocations;
  /** Maximum size of merged metadata in bytes. */
  maxMetadataBytes: number;
  graceMinutes: number;
}

const params = Joi.object<{ formId: string; submissionId: string }>({
  formId: idSchema.description('id of the form'),
  submissionId: idSchema.description('id of the submission'),
});
const list = '/api/forms/:formId/submissions';
const one = `${list}/:submissionId`;

/** The values that PUT sets for absent members. `isComplete` stays, because completion cannot be undone. */
const empty = { currentPage: 0, jsonData: '{}', metadata: '{}' };

/** Management of submissions by the staff of the tenant. */
export function submissionRoutes(deps: SubmissionDeps): Endpoint[] {
  const { db, profileFields } = deps;
  return [
    endpoint.read({
      method: 'get',
      path: list,
      operationId: 'listSubmissions',
      summary: 'Submissions of a form, newest first by default',
      description:
        'Indexes have the order and the filters by `id`, `createdAt` and `completedAt`, and the filters by a `submitterId`, a profile field with a value, and a `status` other than `new`. Other filters check submission after submission: with few matches among many submissions they take long, and after five seconds the query is a 400 `query_too_broad`. Limit them by `from` and `to`. A page with more than 80 MiB of answers is a 400 for `limit`; ten submissions always fit. With `deleted=true` it requires the permission `Submissions.Delete`, too.',
      access: { permission: 'Submissions.View' },
      params: formParams,
      query: listQuery,
      answers: { 200: pageOfSubmissionsAnswer },
      problems: ['query_too_broad'],
      async handle({ principal, params: { formId }, query }) {
        if (query.deleted) requirePermission(principal, 'Submissions.Delete');
        const filter = filterOf(principal.tenantId, formId, query, profileFields);
        return ok(await listSubmissions(db, filter, query));
      },
    }),
    endpoint.read({
      method: 'post',
      path: `${list}/export`,
      operationId: 'exportSubmissions',
      audit: { action: 'submission.exported' },
      summary: 'Submissions of a form as a file, streamed in the order of their ids',
      description:
        'The file is from one snapshot. An error after its first byte aborts the transfer. With `answers: columns` the columns are those of the current definition (SurveyJS), `answers.<path>`: a matrix has one for each row, or for each row and column; several choices, and the rows of dynamic tables and panels, are separated by `|`, and a `|` within one is `\\|`; a file is its name. The last column, `otherAnswers`, has the answers without a column as JSON.',
      access: { permission: 'Submissions.Export' },
      params: formParams,
      body: exportBody,
      answers: { 200: exportedSubmissions },
      handle({ principal, params: { formId }, body, signal }) {
        checkExport(body, profileFields);
        const filter = filterOf(principal.tenantId, formId, body, profileFields);
        return exportSubmissions(deps, { ...body, filter, profileFields, signal });
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/forms/:formId/stats',
      operationId: 'getSubmissionStats',
      summary: 'Submissions of a form by collection status and by day',
      description:
        'Counts by the time of creation (`createdAt`), which `from` and `to` of the list filter, too, and by the current collection status. The first and the last day count only what is within the range. Deleted submissions do not count.',
      access: { permission: 'Submissions.View' },
      params: formParams,
      query: statsQuery,
      answers: { 200: submissionStats },
      problems: ['query_too_broad'],
      async handle({ principal, params: { formId }, query }) {
        const { tenantId } = principal;
        const stats = await countSubmissionsByDay(db, tenantId, formId, query);
        return ok(stats, { etag: digestOf(stats) });
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/stats/overview',
      operationId: 'getSubmissionOverview',
      summary: 'Submissions of all forms by time: started, completed, screened out',
      description:
        'Deleted submissions and forms do not count. `GET /api/webhooks/overview` has the same for deliveries.',
      access: { permission: 'Submissions.View' },
      query: Joi.object<PeriodQuery>(periodParameters('submissions that were created or completed')),
      answers: { 200: submissionOverview },
      problems: ['query_too_broad'],
      async handle({ principal: { tenantId }, query }) {
        return ok(await readOverview(db, tenantId, periodOf(query)));
      },
    }),
    endpoint.read({
      method: 'get',
      path: one,
      operationId: 'getSubmission',
      summary: 'One submission',
      access: { permission: 'Submissions.View' },
      params,
      answers: { 200: oneSubmission },
      async handle({ principal, params: { formId, submissionId } }) {
        const view = await readSubmission(db, principal.tenantId, formId, submissionId);
        return ok(view, { etag: view.revision });
      },
    }),
    endpoint.read({
      method: 'get',
      path: `${one}/versions`,
      operationId: 'listSubmissionVersions',
      summary: 'Former answers of a submission, newest first',
      description:
        'Without the current answers. At most 50 are kept, and of large answers the newest 64 MiB.',
      access: { permission: 'Submissions.View' },
      params,
      query: listParameters({}),
      answers: { 200: pageOfVersionsAnswer },
      handle: async ({ principal, params: { formId, submissionId }, query }) =>
        ok(await pageOfVersions(db, principal.tenantId, formId, submissionId, query)),
    }),
    ...(['put', 'patch'] as const).map((method) =>
      endpoint.write({
        method,
        path: one,
        operationId: method === 'put' ? 'replaceSubmission' : 'changeSubmission',
        audit: { action: 'submission.updated' },
        summary: method === 'put' ? 'Replaces a submission' : 'Changes the given members',
        description: `${
          method === 'put'
            ? 'Absent members become empty, isComplete does not change'
            : 'Absent members do not change; metadata is merged at its top level'
        }. A save that changes nothing is no change. Completing emits \`submission_completed\`, once, and cannot be undone; another save emits \`submission_updated\` where the settings have it; a submission that was screened out takes no further saves. Members that no save may change are ignored.`,
        access: { permission: 'Submissions.Edit' },
        params,
        body: deps.bodies.staff,
        bodyLimit: deps.bodies.bodyLimit,
        answers: { 200: savedSubmission },
        problems: [
          'quota_exceeded',
          'submission_screened_out',
          'submission_completed',
          'answer_check_unavailable',
        ],
        async handle({ principal, params: { formId, submissionId }, body, ifMatch, traceparent }) {
          const { changes } = dropSubmitterFields(body);
          const { tenantId } = principal;
          const save = {
            tenantId,
            holder: null,
            formId,
            target: { id: submissionId },
            changes: method === 'put' ? { ...empty, ...changes } : changes,
            metadata: method === 'put' ? ('replace' as const) : ('merge' as const),
            ifMatch,
            traceparent,
          };
          const added = { formId, tenantId, creates: 0, bytes: answerBytes(changes) } as const;
          const view = await deps.use.counted(added, () => saveSubmission(deps, save));
          return ok(view, { etag: view.revision });
        },
      }),
    ),
    endpoint.write({
      method: 'delete',
      path: one,
      operationId: 'deleteSubmission',
      audit: { action: 'submission.deleted' },
      summary: 'Deletes a submission and frees its gate; the answers stay for a time, or are erased',
      description:
        'The answers stay in the database until the retention deletes them. With `erase=true` the answers, former answers and all that identifies the respondent are erased at once, and in the delivery log of webhooks within a minute. That requires the permission `Submissions.Erase`, too, works on a submission that was deleted before, and cannot be undone. Emits `submission_deleted` unless it was deleted before.',
      access: { permission: 'Submissions.Delete' },
      params,
      query: Joi.object<{ erase: boolean }>({
        erase: Joi.boolean().default(false).description('whether the data is erased, too'),
      }),
      answers: { 204: { description: 'The submission is deleted.' } },
      async handle({ principal, params, query: { erase }, ifMatch, traceparent }) {
        const change = { tenantId: principal.tenantId, ...params, ifMatch, traceparent };
        if (erase) {
          requirePermission(principal, 'Submissions.Erase');
          await eraseSubmission(deps, change);
        } else await removeSubmission(deps, change);
        return noContent();
      },
    }),
    endpoint.write({
      method: 'post',
      path: `${one}/restore`,
      operationId: 'restoreSubmission',
      audit: { action: 'submission.restored' },
      summary:
        'Takes the deletion of a submission back; emits `submission_updated` where the settings have it',
      description:
        'Possible until the retention removes the submission. Its token stays invalid. Returns 409 `conflict` if its data was erased, and `submission_already_exists` if its respondent has answered the gated form again. A submission that is not deleted is not changed.',
      access: { permission: 'Submissions.Delete' },
      params,
      answers: { 200: restoredSubmission },
      problems: ['conflict', 'submission_already_exists'],
      async handle({ principal, params, ifMatch, traceparent }) {
        const change = { tenantId: principal.tenantId, ...params, ifMatch, traceparent };
        const view = await undeleteSubmission(deps, change);
        return ok(view, { etag: view.revision });
      },
    }),
    endpoint.write({
      method: 'post',
      path: `${one}/status`,
      operationId: 'reviewSubmission',
      audit: { action: 'submission.reviewed' },
      summary: 'Sets the review status; emits `submission_status_changed` where the settings have it',
      access: { permission: 'Submissions.Review' },
      params,
      body: Joi.object<{ status: ReviewStatus }>({
        status: Joi.string()
          .valid('new', 'read', 'approved', 'declined')
          .required()
          .description('the review status'),
      }).id('SubmissionReview'),
      answers: { 200: reviewedSubmission },
      async handle({ principal, params, body, ifMatch, traceparent }) {
        const change = { tenantId: principal.tenantId, ...params, ifMatch, traceparent };
        const view = await reviewSubmission(deps, change, body.status);
        return ok(view, { etag: view.revision });
      },
    }),
  ];
}
