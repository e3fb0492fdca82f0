import { jobView, startedJob } from '@canvass/jobs';
import type { Database } from '@canvass/postgres';
import {
  accepted,
  digestOf,
  endpoint,
  idSchema,
  listParameters,
  noContent,
  ok,
  searchText,
  type Endpoint,
} from '@canvass/service-kit';
import Joi from 'joi';
import { eraseSubmitter, type Erasure } from './erase-submitter';
import { exportSubmitter } from './export-submitter';
import { listSubmittersOf, readSubmitter } from './read-submitter';
import { listSubmissionsOf, readErasurePreview } from './submissions-of-submitter';
import { erasurePreview, submissionsOfSubmitterPage } from './submissions-answers';
import { exportedSubmitter, oneSubmitter, submitterPage } from './submitter-answers';

const listQuery = listParameters<{ search?: string }>({
  search: searchText().description(
    'text within the display id, the subject or a value of the profile; case and accents are ignored',
  ),
});

const params = Joi.object<{ submitterId: string }>({
  submitterId: idSchema.description('id of the submitter'),
});
const one = '/api/submitters/:submitterId';

export interface SubmitterDeps {
  db: Database;
  wake(): void;
  wakeJobs(): void;
}

/** Respondents of the tenant, with export and erasure of their data. */
export function submitterRoutes(deps: SubmitterDeps): Endpoint[] {
  const { db } = deps;
  return [
    endpoint.read({
      method: 'get',
      path: '/api/submitters',
      operationId: 'listSubmitters',
      summary: 'Respondents, newest first',
      access: { permission: 'Submissions.View' },
      query: listQuery,
      answers: { 200: submitterPage },
      problems: ['query_too_broad'],
      handle: async ({ principal, query }) => ok(await listSubmittersOf(db, principal.tenantId, query)),
    }),
    endpoint.read({
      method: 'get',
      path: one,
      operationId: 'getSubmitter',
      summary: 'One respondent',
      access: { permission: 'Submissions.View' },
      params,
      answers: { 200: oneSubmitter },
      async handle({ principal, params: { submitterId } }) {
        const { view, version } = await readSubmitter(db, principal.tenantId, submitterId);
        return ok(view, { etag: version });
      },
    }),
    endpoint.read({
      method: 'get',
      path: `${one}/export`,
      operationId: 'exportSubmitter',
      audit: { action: 'submitter.exported' },
      summary: 'All stored data of a respondent, as one JSON document',
      description: 'Includes deleted submissions and answers that later saves replaced.',
      access: { permission: 'Submissions.Export' },
      params,
      answers: { 200: exportedSubmitter },
      handle: ({ principal, params: { submitterId }, signal }) =>
        exportSubmitter(db, principal.tenantId, submitterId, signal),
    }),
    endpoint.read({
      method: 'get',
      path: `${one}/submissions`,
      operationId: 'listSubmissionsOfSubmitter',
      summary: 'Submissions of a respondent in all forms, newest first, without answers',
      access: { permission: 'Submissions.View' },
      params,
      query: listParameters({}),
      answers: { 200: submissionsOfSubmitterPage },
      problems: ['query_too_broad'],
      handle: async ({ principal, params: { submitterId }, query }) =>
        ok(await listSubmissionsOf(db, principal.tenantId, submitterId, query)),
    }),
    endpoint.read({
      method: 'get',
      path: `${one}/erasure-preview`,
      operationId: 'previewSubmitterErasure',
      summary: 'What an erasure of a respondent would change: counts',
      description:
        'Deliveries that contained the data of the respondent are in the delivery log: `GET /api/webhooks/deliveries?entityId=` of each submission, as long as the log is kept.',
      access: { permission: 'Submissions.Erase' },
      params,
      answers: { 200: erasurePreview },
      problems: ['query_too_broad'],
      async handle({ principal, params: { submitterId } }) {
        const preview = await readErasurePreview(db, principal.tenantId, submitterId);
        return ok(preview, { etag: digestOf(preview) });
      },
    }),
    endpoint.write({
      method: 'delete',
      path: one,
      operationId: 'eraseSubmitter',
      audit: { action: 'submitter.erased' },
      summary: 'Erases a respondent; the answers become anonymous or are deleted, too',
      description:
        'Deletes record, display id, profile and all snapshots, even of deleted submissions. Gates of the respondent become free. The delivery log of webhooks is erased within a minute. This cannot be undone. Emits `submitter_erased`, and `submission_deleted` for each deleted submission. A respondent with more than 1,000 submissions is erased by a job in small steps, and then the answer is 202 with the job: what the steps have erased stays erased, also after a cancel, and the respondent is the last thing that is erased.',
      access: { permission: 'Submissions.Erase' },
      params,
      query: Joi.object<{ submissions: Erasure['submissions'] }>({
        submissions: Joi.string()
          .valid('keep', 'delete')
          .default('keep')
          .description('`keep`: the answers stay as anonymous; `delete`: they are deleted, too'),
      }),
      problems: ['conflict'],
      answers: { 202: startedJob, 204: { description: 'The respondent is erased.' } },
      async handle({ principal, params: { submitterId }, query: { submissions }, ifMatch, traceparent }) {
        const { tenantId } = principal;
        const erasure = { tenantId, submitterId, submissions, ifMatch, traceparent };
        const job = await eraseSubmitter(deps, erasure);
        if (job === null) return noContent();
        deps.wakeJobs();
        return accepted(jobView(job), { location: `/api/submissions/jobs/${job.id}` });
      },
    }),
  ];
}
