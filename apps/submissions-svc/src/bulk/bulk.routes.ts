import { requirePermission } from '@canvass/auth';
import { jobView, startedJob } from '@canvass/jobs';
import type { PostgresIdempotencyStore } from '@canvass/postgres';
import { accepted, endpoint, ok, type Endpoint } from '@canvass/service-kit';
import { formParams } from '../form-params';
import { plannedChange } from './bulk-answers';
import { bulkBody, dryRunQuery } from './bulk-request';
import { bulkStep } from './bulk-step';
import { planBulkChange, startBulkChange } from './change-many';

export interface BulkRoutesDeps {
  idempotency: PostgresIdempotencyStore;
  profileFields: readonly string[];
  wakeJobs(): void;
}

/** One change of many submissions. */
export function bulkRoutes({ idempotency, profileFields, wakeJobs }: BulkRoutesDeps): Endpoint[] {
  const step = bulkStep(profileFields);
  return [
    endpoint.write({
      method: 'post',
      path: '/api/forms/:formId/submissions/bulk',
      operationId: 'changeSubmissions',
      audit: { action: 'submission_bulk_change.started' },
      summary: 'Sets the review status of many submissions, deletes them, or takes deletions back',
      description: [
        'Each submission is changed as by its own operation: with the same events, webhooks and entry in the audit trail. It takes submissions that were created before the request.',
        'The answer is a job. It has ended if at most 100 submissions are to be changed. A larger one continues in small steps, oldest submission first, also after a restart; `GET /api/submissions/jobs/{id}` shows its progress, and a cancel keeps what is done. Its `counts` are `changed` and `skipped`: submissions that were changed meanwhile so that they do not match any more, and, of `restore`, those whose respondent has answered the gated form again.',
        '`dryRun=true` returns what would be changed. A tenant has at most twenty running bulk changes. `delete` and `restore` require the permission `Submissions.Delete`, too.',
      ].join('\n\n'),
      access: { permission: 'Submissions.Review' },
      params: formParams,
      query: dryRunQuery,
      body: bulkBody,
      idempotency: { store: idempotency },
      answers: { 200: plannedChange, 202: startedJob },
      problems: ['conflict', 'query_too_broad'],
      async handle({ principal, params: { formId }, query: { dryRun }, body, traceparent, db, wake }) {
        if (body.action !== 'status') requirePermission(principal, 'Submissions.Delete');
        const { tenantId } = principal;
        if (dryRun) return ok(await planBulkChange(db, { tenantId, formId, body }, profileFields));
        const change = { tenantId, formId, body, traceparent };
        const job = await startBulkChange(db, change, { step, profileFields, wakeJobs });
        wake();
        return accepted(jobView(job), { location: `/api/submissions/jobs/${job.id}` });
      },
    }),
  ];
}
