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
import {
  addComment,
  commentBody,
  limitText,
  newComment,
  pageOfComments,
  pageOfCommentsAnswer,
  removeComment,
} from '../comments';
import { findSubmission } from './read.sql';
import type { SubmissionDeps } from './submissions.routes';

const members = {
  formId: idSchema.description('id of the form'),
  submissionId: idSchema.description('id of the submission'),
};
const params = Joi.object<{ formId: string; submissionId: string }>(members);
const ofSubmission = '/api/forms/:formId/submissions/:submissionId/comments';

/** Comments of staff on a submission. */
export const commentRoutes = ({ db }: Pick<SubmissionDeps, 'db'>): Endpoint[] => [
  endpoint.write({
    method: 'post',
    path: ofSubmission,
    operationId: 'createSubmissionComment',
    audit: { action: 'submission_comment.created' },
    summary: 'Adds a comment to a submission',
    description: `Only staff read comments. The erasure of the submission or of its respondent deletes them. ${limitText}`,
    access: { permission: 'Submissions.Review' },
    params,
    body: commentBody,
    answers: { 201: newComment },
    problems: ['conflict'],
    async handle({ principal, params: { formId, submissionId }, body }) {
      const { tenantId, provider, kind, subject } = principal;
      const createdBy = { provider, kind, subject };
      const comment = await addComment(db, { tenantId, formId, submissionId }, { ...body, createdBy });
      return created(`/api/forms/${formId}/submissions/${submissionId}/comments/${comment.id}`, comment);
    },
  }),
  endpoint.read({
    method: 'get',
    path: ofSubmission,
    operationId: 'listSubmissionComments',
    summary: 'The comments on a submission, newest first',
    access: { permission: 'Submissions.View' },
    params,
    query: listParameters({}),
    answers: { 200: pageOfCommentsAnswer },
    async handle({ principal: { tenantId }, params: { formId, submissionId }, query }) {
      const [known] = await db.query(findSubmission({ tenantId, formId, id: submissionId }));
      if (!known) throw notFound('submission', submissionId);
      return ok(await pageOfComments(db, { tenantId, formId, submissionId }, query));
    },
  }),
  endpoint.write({
    method: 'delete',
    path: `${ofSubmission}/:commentId`,
    operationId: 'deleteSubmissionComment',
    audit: { action: 'submission_comment.deleted' },
    summary: 'Deletes a comment of the caller',
    description: 'A comment of another person needs `Submissions.Edit`, too.',
    access: { permission: 'Submissions.Review' },
    params: Joi.object<{ formId: string; submissionId: string; commentId: string }>({
      ...members,
      commentId: idSchema.description('id of the comment'),
    }),
    answers: { 204: { description: 'The comment is deleted.' } },
    async handle({ principal, params: { commentId, ...place } }) {
      const { tenantId, provider, kind, subject, permissions } = principal;
      const caller = { provider, kind, subject };
      const mayRemoveAll = permissions.has('Submissions.Edit');
      await removeComment(db, { tenantId, ...place }, { commentId, caller, mayRemoveAll });
      return noContent();
    },
  }),
];
