import { actorSchema } from '@canvass/audit';
import {
  exactObject,
  submissionExample,
  submissionMembers,
  submissionViewSchema,
  wireDate,
  wireId,
  type SubmissionView,
} from '@canvass/contracts';
import { listAnswer, revisionHeader, type DescribedAnswer } from '@canvass/service-kit';
import { workbookType } from '@canvass/workbooks';
import Joi from 'joi';
import { linkRights, newLinkExample, newLinkSchema, type LinkRight, type NewLinkView } from '../links';
import type { AnswerFault } from '../answer-check';
import type { CreatedSubmission } from './create-submission';
import { begun, createdSubmission, heldMembers } from './respondent-answers';
import type { SubmissionDetail, SubmissionVersion } from './read.sql';

/** Responses of the operations on submissions, for documents and tests. */

const versionExample: SubmissionVersion = {
  revision: '1',
  jsonData: '{"country":"NO"}',
  metadata: '{}',
  savedAt: submissionExample.createdAt,
  savedBy: { provider: 'Service', kind: 'user', subject: '186512345670000128' },
  replacedAt: submissionExample.modifiedAt,
};

const version = exactObject<SubmissionVersion>('SubmissionVersion', {
  revision: wireId.description('the last revision of the submission that had these answers'),
  jsonData: submissionMembers.jsonData,
  metadata: submissionMembers.metadata,
  savedAt: wireDate.description('when these answers were saved'),
  savedBy: actorSchema
    .allow(null)
    .description('the staff or integration that saved them; null for the respondent'),
  replacedAt: wireDate.description('when a later save replaced them'),
})
  .description('Answers of a submission that a later save replaced.')
  .example(versionExample);

const onBehalfExample = {
  ...submissionExample,
  modifiedAt: submissionExample.createdAt,
  revision: '1',
  token: null,
  ignoredProfileFields: ['level'],
  link: newLinkExample as NewLinkView | null,
};

export const createdOnBehalf: DescribedAnswer = {
  ...createdSubmission,
  body: exactObject<typeof onBehalfExample & CreatedSubmission>('SubmissionOnBehalf', {
    ...heldMembers,
    ignoredProfileFields: Joi.array()
      .items(Joi.string())
      .required()
      .description('fields of the given profile that are not stored'),
    link: newLinkSchema.allow(null).description('the link that was asked for; null: none'),
  })
    .description('Answers that an integration stored for a respondent, with the submission token.')
    .example(onBehalfExample),
  example: onBehalfExample,
};

type HeldSubmission = CreatedSubmission & { linkRight: LinkRight | null };

const heldExample: HeldSubmission = { ...begun, linkRight: null };

export const heldSubmission: DescribedAnswer = {
  description: 'The submission, with its token while that is valid.',
  body: exactObject<HeldSubmission>('HeldSubmission', {
    ...heldMembers,
    token: heldMembers.token!.description('the given token while it is valid; null for that of a link'),
    linkRight: Joi.string()
      .valid(...linkRights, null)
      .description('what the link permits; null for the token of a submission'),
  })
    .description('Answers of one respondent, for the holder of a token or link.')
    .example(heldExample),
  headers: revisionHeader,
  example: heldExample,
};

export const savedByToken: DescribedAnswer = {
  ...heldSubmission,
  description: 'The current state of the submission, without a token if it is complete.',
  example: {
    ...heldExample,
    currentPage: 2,
    modifiedAt: submissionExample.modifiedAt,
    revision: '2',
  },
};

const answerFaults = Joi.array()
  .items(
    exactObject<AnswerFault>('AnswerFault', {
      question: Joi.string().allow('').description('member of the answers; empty: the answers as a whole'),
      rule: Joi.string().description(
        '`required`, `type`, `choice`, `invisible`, `unknown`, or the kind of the error of survey-core',
      ),
    })
      .description('A rule of the form that an answer breaks.')
      .example({ question: 'age', rule: 'type' }),
  )
  .allow(null)
  .description('the answers that the form does not permit, by the check of `answerCheck`; null: not checked');

const detailExample: SubmissionDetail = { ...submissionExample, createdBy: null, answerFaults: [] };

const detail = exactObject<SubmissionDetail>('SubmissionDetail', {
  ...submissionMembers,
  createdBy: actorSchema
    .allow(null)
    .description('the integration that created it on behalf of the respondent; null: the respondent did'),
  answerFaults: answerFaults.required(),
})
  .description('Answers of one respondent, and who created them.')
  .example(detailExample);

export const oneSubmission: DescribedAnswer = {
  description: 'The submission.',
  body: detail,
  headers: revisionHeader,
  example: detailExample,
};

export const savedSubmission: DescribedAnswer = {
  description: 'The current state of the submission.',
  body: submissionViewSchema,
  headers: revisionHeader,
  example: submissionExample,
};

export const reviewedSubmission: DescribedAnswer = {
  ...savedSubmission,
  example: {
    ...submissionExample,
    status: 'approved',
    modifiedAt: '2026-11-20T14:02:31.007Z',
    revision: '3',
  },
};

export const restoredSubmission: DescribedAnswer = {
  ...savedSubmission,
  description: 'The submission, which is not deleted any more.',
};

const chosenMembers = Joi.object<
  Partial<SubmissionView> & { answerFaults?: AnswerFault[] | null; answers?: Record<string, unknown> }
>({
  ...submissionMembers,
  answerFaults,
  answers: Joi.object()
    .pattern(Joi.string(), Joi.any())
    .description(
      'with `answers.<path>` in `fields`: the answers by path; one without a value is left out, a number that a 64-bit float does not hold, such as 9007199254740993, is its text',
    ),
})
  .id('SubmissionFields')
  .description('The chosen members of a submission.')
  .example({ id: submissionExample.id, status: 'new', answers: { country: 'NO' } });

export const pageOfSubmissionsAnswer = listAnswer(
  'Submission',
  submissionViewSchema,
  submissionExample,
  'A page of submissions.',
  [chosenMembers],
);

export const pageOfVersionsAnswer = listAnswer(
  'SubmissionVersion',
  version,
  versionExample,
  'A page of former answers.',
);

export const exportedSubmissions: DescribedAnswer = {
  description: 'The file. An aborted transfer is a failed export: a truncated file never looks complete.',
  body: Joi.array().items(submissionViewSchema.optional()).description('format `json`: in the order of ids'),
  content: {
    'text/csv':
      'format `csv`: RFC 4180 with a header; the members of a submission without the snapshot, then `submitterProfile.<field>` for each configured field. Cells that a spreadsheet would run as a formula start with an apostrophe unless `raw`. With `answers: columns`, instead of `jsonData`, at the end `answers.<path>` for each question and `otherAnswers`. Without options it has commas and no byte order mark.',
    [workbookType]:
      'format `xlsx`: the table of CSV in a sheet. Ids are text, times are in UTC, and formulas cannot run. A cell has 32,767 characters at most: a longer text ends with an ellipsis. After 1,048,576 rows the next sheet begins.',
    'application/x-ndjson': 'format `ndjson`: one submission (`Submission`) per line',
  },
  headers: { 'Content-Disposition': 'attachment, named after the form' },
  example: [submissionExample],
};
