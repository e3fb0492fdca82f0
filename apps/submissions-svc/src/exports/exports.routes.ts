import type { Database, PostgresIdempotencyStore } from '@canvass/postgres';
import { accepted, digestOf, endpoint, idSchema, ok, visibleText, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { formParams } from '../form-params';
import { checkExport, exportBody } from '../submissions';
import { exportFile, oneExport, startedExport } from './export-answers';
import { downloadExport, readExport, startExport, type ExportDeps, type NewExportBody } from './exports';

export interface ExportRoutesDeps extends ExportDeps {
  db: Database;
  idempotency: PostgresIdempotencyStore;
}

const params = Joi.object<{ id: string }>({ id: idSchema.required().description('id of the export') });

const newExportBody = (exportBody as Joi.ObjectSchema)
  .keys({ reason: visibleText(500).description('why; the list of jobs shows it') })
  .example({ format: 'csv', filter: ['isComplete:true'], reason: 'For the yearly report.' })
  .id('SubmissionExportBody') as Joi.ObjectSchema<NewExportBody>;

/** Files with the submissions of a form that a job writes, and that are downloaded later. */
export const exportRoutes = ({ db, idempotency, ...deps }: ExportRoutesDeps): Endpoint[] => [
  startRoute(idempotency, deps),
  endpoint.read({
    method: 'get',
    path: '/api/exports/:id',
    operationId: 'getSubmissionExport',
    summary: 'An export with its progress',
    access: { permission: 'Submissions.Export' },
    isForRestricted: true,
    params,
    answers: { 200: oneExport },
    async handle({ principal: { tenantId, formIds }, params: { id } }) {
      const view = await readExport(db, { tenantId, id, formIds });
      return ok(view, { etag: digestOf(view) });
    },
  }),
  endpoint.read({
    method: 'get',
    path: '/api/exports/:id/file',
    operationId: 'downloadSubmissionExport',
    audit: { action: 'submission.exported' },
    summary: 'The file of an export',
    description:
      'Any caller of the tenant with the permission may download it, any number of times until `expiresAt`. Returns 409 while the export runs, or if it failed or was cancelled. Each download is recorded in the audit trail.',
    access: { permission: 'Submissions.Export' },
    isForRestricted: true,
    params,
    answers: { 200: exportFile },
    problems: ['conflict'],
    handle: ({ principal: { tenantId, formIds }, params: { id } }) =>
      downloadExport(db, { tenantId, id, formIds }),
  }),
];

function startRoute(idempotency: PostgresIdempotencyStore, deps: ExportDeps): Endpoint {
  return endpoint.write({
    method: 'post',
    path: '/api/forms/:formId/submissions/exports',
    operationId: 'startSubmissionExport',
    audit: { action: 'submission_export.started' },
    summary: 'Writes the submissions of a form to a file that can be downloaded later, as a job',
    description: [
      'The file is the same as that of `POST /api/forms/{formId}/submissions/export`, but not from one snapshot: the job writes it in small steps, in the order of ids, and each submission is as it is at that time. Submissions that are created after the request are left out.',
      'The job continues after a restart. `POST /api/submissions/jobs/{id}/cancel` cancels it and deletes what is written. The file is deleted after a day by default. A tenant has at most five running exports, and its files count towards its quota `exportBytes`: an export that exceeds it fails.',
    ].join('\n\n'),
    access: { permission: 'Submissions.Export' },
    params: formParams,
    body: newExportBody,
    idempotency: { store: idempotency },
    answers: { 202: startedExport },
    problems: ['conflict', 'quota_exceeded'],
    async handle({ principal: { tenantId }, params: { formId }, body, db }) {
      checkExport(body, deps.profileFields);
      const view = await startExport(db, deps, { tenantId, formId, body });
      return accepted(view, { location: `/api/exports/${view.id}` });
    },
  });
}
