import { notFound } from '@canvass/errors';
import {
  created,
  endpoint,
  idSchema,
  listParameters,
  noContent,
  ok,
  type Endpoint,
} from '@canvass/service-kit';
import Joi from 'joi';
import { createLink, linkBody, newLink, pageOfLinks, pageOfLinksAnswer, revokeLink } from '../links';
import { findSubmission } from './read.sql';
import type { SubmissionDeps } from './submissions.routes';

const members = {
  formId: idSchema.description('id of the form'),
  submissionId: idSchema.description('id of the submission'),
};
const params = Joi.object<{ formId: string; submissionId: string }>(members);
const ofSubmission = '/api/forms/:formId/submissions/:submissionId/links';

/** Links to a submission, for people without an account. */
export const linkRoutes = ({ db }: Pick<SubmissionDeps, 'db'>): Endpoint[] => [
  endpoint.write({
    method: 'post',
    path: ofSubmission,
    operationId: 'createSubmissionLink',
    audit: { action: 'submission_link.created' },
    summary: 'Makes a link to a submission, for a person without an account',
    description:
      'The holder of the link has its right. It ends with its time, when it is revoked, and when the submission or its form is deleted. Only a hash of its token is stored. Canvass sends no mail.',
    access: { permission: 'Submissions.Edit' },
    params,
    body: linkBody,
    answers: { 201: newLink },
    problems: ['conflict'],
    async handle({ principal, params: { formId, submissionId }, body }) {
      const { tenantId, provider, kind, subject } = principal;
      const place = { tenantId, formId, submissionId };
      const link = await db.transaction((tx) =>
        createLink(tx, place, body, { createdBy: { provider, kind, subject } }),
      );
      return created(`/api/forms/${formId}/submissions/${submissionId}/links/${link.id}`, link);
    },
  }),
  endpoint.read({
    method: 'get',
    path: ofSubmission,
    operationId: 'listSubmissionLinks',
    summary: 'The links of a submission, newest first, without their tokens',
    access: { permission: 'Submissions.View' },
    params,
    query: listParameters({}),
    answers: { 200: pageOfLinksAnswer },
    async handle({ principal: { tenantId }, params: { formId, submissionId }, query }) {
      const [known] = await db.query(findSubmission({ tenantId, formId, id: submissionId }));
      if (!known) throw notFound('submission', submissionId);
      return ok(await pageOfLinks(db, { tenantId, formId, submissionId }, query));
    },
  }),
  endpoint.write({
    method: 'delete',
    path: `${ofSubmission}/:linkId`,
    operationId: 'revokeSubmissionLink',
    audit: { action: 'submission_link.revoked' },
    summary: 'Revokes a link at once',
    access: { permission: 'Submissions.Edit' },
    params: Joi.object<{ formId: string; submissionId: string; linkId: string }>({
      ...members,
      linkId: idSchema.description('id of the link'),
    }),
    answers: { 204: { description: 'The link is revoked.' } },
    async handle({ principal: { tenantId }, params: { linkId, ...place } }) {
      await revokeLink(db, { tenantId, ...place }, linkId);
      return noContent();
    },
  }),
];
