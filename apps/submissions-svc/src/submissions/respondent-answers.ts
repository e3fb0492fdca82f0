import { exactObject, formMembers, submissionExample, submissionMembers } from '@canvass/contracts';
import { creationHeaders, revisionHeader, type DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import type { CreatedSubmission } from './create-submission';
import type { FormState } from './form-state';

/** Responses of the operations by which a respondent begins. */

export const begun: CreatedSubmission = {
  ...submissionExample,
  isComplete: false,
  currentPage: 1,
  collectionStatus: 'in_progress',
  submitterId: null,
  submitterDisplayId: null,
  submitterProfileSnapshot: null,
  submittedBy: null,
  completedAt: null,
  modifiedAt: submissionExample.createdAt,
  revision: '1',
  token: 'b2N0b2JlciBmb3IgcmVhbCwgbm90IGEgc2VjcmV0ISE',
};

export const heldMembers: Joi.StrictSchemaMap<CreatedSubmission> = {
  ...submissionMembers,
  token: Joi.string()
    .pattern(/^[A-Za-z0-9_-]{43}$/)
    .allow(null)
    .description(
      'permits its holder to read and change this submission until it is complete; null if it is complete, or in a repeated response once the token was used',
    ),
};

const held = exactObject<CreatedSubmission>('SubmissionWithToken', heldMembers)
  .description('Answers of one respondent, with the submission token.')
  .example(begun);

export const createdSubmission: DescribedAnswer = {
  description: 'The new submission, with its token unless it is complete.',
  body: held,
  headers: creationHeaders,
  example: begun,
};

const stateExample: FormState = {
  state: 'open',
  reason: null,
  opensAt: null,
  closesAt: '2026-12-31T23:00:00.000Z',
};

export const formState: DescribedAnswer = {
  description: 'The state of the form for the caller.',
  body: exactObject<FormState>('FormState', {
    state: Joi.string()
      .valid('none', 'open', 'done', 'closed')
      .description(
        '`none`: a create begins a submission; `open`: it returns the unfinished one; `done`: the one submission is finished; `closed`: a create is refused',
      ),
    reason: Joi.string()
      .valid('form_disabled', 'form_not_open', 'form_closed', 'form_full', null)
      .description('the problem of a create, where the state is `closed`'),
    opensAt: formMembers.opensAt,
    closesAt: formMembers.closesAt,
  })
    .description('What the caller can do with a form.')
    .example(stateExample),
  example: stateExample,
};

export const resumedSubmission: DescribedAnswer = {
  description: 'The unfinished submission of the respondent, with another token unless it is complete now.',
  body: held,
  headers: revisionHeader,
  example: begun,
};
