import { exactObject, formExample, submissionExample, submissionMembers } from '@canvass/contracts';
import { listAnswer, type DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import type { ErasurePreview, SubmissionOfSubmitter } from './submissions.sql';

/** Responses about the submissions of a submitter, for documents and tests. */

const example: SubmissionOfSubmitter = {
  id: submissionExample.id,
  formId: submissionExample.formId,
  formName: formExample.name,
  isComplete: submissionExample.isComplete,
  isTestSubmission: submissionExample.isTestSubmission,
  collectionStatus: submissionExample.collectionStatus,
  status: submissionExample.status,
  startedAt: submissionExample.startedAt,
  completedAt: submissionExample.completedAt,
  createdAt: submissionExample.createdAt,
  modifiedAt: submissionExample.modifiedAt,
  revision: submissionExample.revision,
};

const submission = exactObject<SubmissionOfSubmitter>('SubmissionOfSubmitter', {
  id: submissionMembers.id,
  formId: submissionMembers.formId,
  formName: Joi.string().description('name of the form'),
  isComplete: submissionMembers.isComplete,
  isTestSubmission: submissionMembers.isTestSubmission,
  collectionStatus: submissionMembers.collectionStatus,
  status: submissionMembers.status,
  startedAt: submissionMembers.startedAt,
  completedAt: submissionMembers.completedAt,
  createdAt: submissionMembers.createdAt,
  modifiedAt: submissionMembers.modifiedAt,
  revision: submissionMembers.revision,
})
  .description('A submission of a respondent, without its answers.')
  .example(example);

export const submissionsOfSubmitterPage = listAnswer(
  'SubmissionOfSubmitter',
  submission,
  example,
  'A page of submissions of the respondent.',
);

const count = Joi.number().integer().min(0);
const previewExample: ErasurePreview = {
  submissions: 12,
  deletedSubmissions: 1,
  forms: 4,
  gates: 2,
  formerAnswers: 31,
};

export const erasurePreview: DescribedAnswer = {
  description: 'The counts.',
  body: exactObject<ErasurePreview>('ErasurePreview', {
    submissions: count.description(
      'submissions that become anonymous, or are deleted with `submissions=delete`; deleted ones, too',
    ),
    deletedSubmissions: count.description('of these, those that were deleted before'),
    forms: count.description('forms that have these submissions'),
    gates: count.description('gates of single-submission forms that become free'),
    formerAnswers: count.description(
      'answers that later saves replaced; they are deleted with `submissions=delete`',
    ),
  })
    .description('What an erasure of a respondent changes.')
    .example(previewExample),
  headers: { ETag: 'changes with the counts; for If-None-Match' },
  example: previewExample,
};
