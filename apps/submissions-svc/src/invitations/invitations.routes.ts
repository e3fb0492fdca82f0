import { recordAudit } from '@canvass/audit';
import type { SecretBox } from '@canvass/auth';
import { notFound, Problem } from '@canvass/errors';
import { jobView, readJob, startedJob, startJob, type JobKind } from '@canvass/jobs';
import type { Database } from '@canvass/postgres';
import {
  accepted,
  attachment,
  contentTypeOf,
  endpoint,
  idSchema,
  readBody,
  streamed,
  streamText,
  type Endpoint,
} from '@canvass/service-kit';
import Joi from 'joi';
import { formParams } from '../form-params';
import { countBytes, partsOf } from '../exports';
import { defaultExpiry, expirySchema, noteSchema } from '../links';
import type { SubmissionsQuotas } from '../quotas';
import { getFormName, type SubmissionBodies } from '../submissions';
import { insertPeople } from './invitations.sql';
import { partContext, type InvitationRequest, type InvitationResult } from './invitation-step';
import { maxPeople, readPeople } from './people-file';

export const invitationKind: JobKind = 'submission_invitation';

/** Invitations of a tenant that run at the same time. */
const maxRunning = 5;
const maxBytes = 32 * 1024 * 1024;
/** People that one statement stores. */
const storedAtOnce = 5_000;

export interface InvitationRoutesDeps {
  db: Database;
  box: SecretBox;
  bodies: SubmissionBodies;
  quotas: SubmissionsQuotas;
  wakeJobs(): void;
}

const query = Joi.object<{ expiresAt?: Date; note: string; pageUrl?: string }>({
  expiresAt: expirySchema,
  note: noteSchema.default(''),
  pageUrl: Joi.string()
    .uri({ scheme: ['http', 'https'], allowRelative: true })
    .max(500)
    .pattern(/#/, { invert: true })
    .messages({ 'string.pattern.invert.base': 'must not have a fragment' })
    .description('address of the page that the links open; default `/f/{formId}`, without a host'),
});

/** Personal links for many people. */
export const invitationRoutes = ({ db, box, bodies, quotas, wakeJobs }: InvitationRoutesDeps): Endpoint[] => [
  endpoint.write({
    method: 'post',
    path: '/api/forms/:formId/invitations',
    operationId: 'inviteRespondents',
    audit: { action: 'submission_invitation.started' },
    summary: 'Begins a submission for each person of a file, and makes one link for each, as a job',
    description: [
      `The file has at most ${maxPeople} people and ${maxBytes} bytes. CSV has the columns \`externalSubjectId\`, \`displayId\`, and if needed \`authProvider\`, \`appUserId\`, \`profile.<field>\` and \`answers.<question>\`; NDJSON has a line like the body of \`createSubmissionOnBehalf\` for each. A wrong line refuses the whole file.`,
      'The answer is a job; its file has the links. A person who has a submission of a gated form gets a link to it if the caller has `Submissions.Edit`, else an error in the file. The filter `invitation` finds who has not opened the link, has begun, or is done. Canvass sends no mail.',
    ].join('\n\n'),
    access: { permission: 'Submissions.CreateOnBehalf' },
    params: formParams,
    query,
    rawBody: ['text/csv', 'application/x-ndjson', 'application/ndjson'],
    answers: { 202: startedJob },
    problems: ['import_rejected', 'conflict', 'quota_exceeded', 'payload_too_large'],
    async handle({ request, principal, params: { formId }, query: asked, traceparent }) {
      const { tenantId, provider, kind, subject } = principal;
      const [form] = await db.query(getFormName({ tenantId, formId }));
      if (!form) throw notFound('form', formId);
      const format = contentTypeOf(request).mediaType === 'text/csv' ? 'csv' : 'ndjson';
      const people = await readPeople(await readBody(request, maxBytes), format, bodies.invited);
      const { note, pageUrl = `/f/${formId}` } = asked;
      const expiresAt = asked.expiresAt ?? defaultExpiry();
      const invitation: InvitationRequest = {
        formId,
        formName: form.name,
        expiresAt: expiresAt.toISOString(),
        note,
        pageUrl,
        invitedBy: { provider, kind, subject },
        mayLinkExisting: principal.permissions.has('Submissions.Edit'),
        traceparent,
      };
      const job = await db.transaction(async (tx) => {
        await quotas.assertRoom(tx, tenantId, 'exportBytes', countBytes({ tenantId }), 1);
        const started = await startJob(tx, {
          tenantId,
          kind: invitationKind,
          request: invitation,
          reason: note === '' ? null : note,
          total: people.length,
          maxRunning,
        });
        for (let at = 0; at < people.length; at += storedAtOnce) {
          const texts = people.slice(at, at + storedAtOnce).map((person) => JSON.stringify(person));
          await tx.query(
            insertPeople({ tenantId, jobId: started.id, first: at, people: JSON.stringify(texts) }),
          );
        }
        const after = { formId, people: people.length, expiresAt: invitation.expiresAt };
        await recordAudit(tx, { tenantId, object: ['job', started.id], after });
        tx.afterCommit(() => wakeJobs());
        return started;
      });
      return accepted(jobView(job), { location: `/api/submissions/jobs/${job.id}` });
    },
  }),
  endpoint.read({
    method: 'get',
    path: '/api/invitations/:id/file',
    operationId: 'downloadInvitations',
    audit: { action: 'submission_invitation.downloaded' },
    summary: 'The file with the links of an invitation',
    description:
      'CSV with `authProvider`, `externalSubjectId`, `displayId`, `submissionId`, `link` and, for a person without a link, the code in `error`. Returns 409 while the job runs, or if it failed or was cancelled, and 404 once the file has expired.',
    access: { permission: 'Submissions.CreateOnBehalf' },
    params: Joi.object<{ id: string }>({ id: idSchema.required().description('id of the job') }),
    answers: {
      200: {
        description: 'The file.',
        content: { 'text/csv': 'RFC 4180 with a header' },
        headers: { 'Content-Disposition': 'attachment, named after the form' },
      },
    },
    problems: ['conflict'],
    async handle({ principal: { tenantId }, params: { id: jobId } }) {
      const { state, request, result } = await readJob(db, tenantId, jobId, invitationKind);
      const { formId, formName } = request as InvitationRequest;
      if (state !== 'done')
        throw new Problem('conflict', {
          detail: state === 'running' ? 'The job is still running.' : 'The job has no file.',
        });
      const { parts, expiresAt } = result as unknown as InvitationResult;
      if (Date.parse(expiresAt) <= Date.now())
        throw new Problem('not_found', { detail: 'The file of the invitation has expired.' });
      await recordAudit(db, { tenantId, object: ['form', formId], after: { jobId } });
      return streamed(
        'text/csv; charset=utf-8',
        streamText(openedParts(db, box, { tenantId, jobId, parts })),
        {
          headers: { 'Content-Disposition': attachment(`${formName} links`, 'csv') },
        },
      );
    },
  }),
];

async function* openedParts(
  db: Database,
  box: SecretBox,
  { tenantId, jobId, parts }: { tenantId: string; jobId: string; parts: number },
): AsyncGenerator<string> {
  let part = 0;
  for await (const sealed of partsOf(db, tenantId, jobId, parts)) {
    yield box.open(sealed.toString(), partContext(tenantId, jobId, part));
    part += 1;
  }
}
