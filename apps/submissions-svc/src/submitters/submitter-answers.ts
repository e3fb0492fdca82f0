import {
  exactObject,
  formExample,
  submissionExample,
  submissionMembers,
  wireDate,
  wireId,
} from '@canvass/contracts';
import { listAnswer, type DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import type { ExportedSubmission, FormerAnswers, SubmitterExport } from './export-submitter';
import { maxDisplayIdLength, maxProviderLength, maxSubjectLength } from './profile';
import type { SubmitterView } from './submitters.sql';

/** Responses of the operations on submitters, for documents and tests. */

const example: SubmitterView = {
  id: submissionExample.submitterId!,
  authProvider: 'Integration',
  externalSubjectId: 'crm-4711',
  appUserId: null,
  displayId: submissionExample.submitterDisplayId!,
  profile: { department: 'Research' },
  createdAt: submissionExample.createdAt,
  modifiedAt: submissionExample.createdAt,
};

const submitter = exactObject<SubmitterView>('Submitter', {
  id: wireId.description('stable; `submitterId` of submissions'),
  authProvider: Joi.string()
    .max(maxProviderLength)
    .description(
      'provider of the identity: `Service` (own users), `Integration`, a configured identity provider, or a custom name',
    ),
  externalSubjectId: Joi.string().max(maxSubjectLength).description('subject at that provider'),
  appUserId: wireId.allow(null).description('id of the own user, if the respondent is one'),
  displayId: Joi.string().max(maxDisplayIdLength).description('as of the latest resolution'),
  profile: Joi.object<Record<string, string>>()
    .pattern(Joi.string(), Joi.string().allow(''))
    .description('configured fields, as of the latest resolution'),
  createdAt: wireDate.description('when the respondent was first resolved'),
  modifiedAt: wireDate.description('when the respondent was last resolved'),
})
  .description('An identified respondent of the tenant.')
  .example(example);

const exported = exactObject<ExportedSubmission>('ExportedSubmission', {
  formName: Joi.string().description('name of the form, even of a deleted one'),
  deletedAt: wireDate.allow(null).description('when the submission was deleted; null if it is not'),
  ...submissionMembers,
}).description('A submission of the respondent, possibly deleted.');

const former = exactObject<FormerAnswers>('FormerAnswers', {
  submissionId: wireId.description('the submission that had these answers'),
  revision: wireId.description('its last revision that had them'),
  jsonData: submissionMembers.jsonData,
  metadata: submissionMembers.metadata,
  savedAt: wireDate.description('when these answers were saved'),
  replacedAt: wireDate.description('when a later save replaced them'),
}).description('Answers that a later save replaced.');

const exportExample: SubmitterExport = {
  submitter: example,
  submissions: [{ formName: formExample.name, deletedAt: null, ...submissionExample }],
  formerAnswers: [
    {
      submissionId: submissionExample.id,
      revision: '1',
      jsonData: '{"country":"NO"}',
      metadata: '{}',
      savedAt: submissionExample.createdAt,
      replacedAt: submissionExample.modifiedAt,
    },
  ],
};

export const oneSubmitter: DescribedAnswer = {
  description: 'The respondent.',
  body: submitter,
  headers: { ETag: 'changes with each resolution; for If-Match and If-None-Match' },
  example,
};

export const submitterPage = listAnswer('Submitter', submitter, example, 'A page of respondents.');

export const exportedSubmitter: DescribedAnswer = {
  description: 'The document, as a file.',
  body: exactObject<SubmitterExport>('SubmitterExport', {
    submitter,
    submissions: Joi.array().items(exported.optional()).description('in the order of ids'),
    formerAnswers: Joi.array().items(former.optional()).description('oldest first within a submission'),
  }).description('All stored data of a respondent.'),
  headers: { 'Content-Disposition': 'attachment, named after the id' },
  example: exportExample,
};
