import { idSchema, visibleText } from '@canvass/service-kit';
import Joi from 'joi';
import { longestDisplayId, longestProvider, longestSubject, type OnBehalfSubmitter } from '../submitters';

/** What a save may change; absent members stay. */
export interface SubmissionChanges {
  isComplete?: boolean;
  currentPage?: number;
  jsonData?: string;
  metadata?: string;
  collectionOutcome?: 'screen_out';
}

export interface OnBehalfBody extends SubmissionChanges {
  submitter?: OnBehalfSubmitter | null;
}

/**
 * JSON text, kept byte for byte: only its grammar is checked. It is never stored as jsonb, so that escapes which jsonb
 * refuses (U+0000, lone surrogates) and any depth are fine.
 */
const jsonText = Joi.string()
  .messages({ 'string.empty': 'must be valid JSON text' })
  .custom((value: string, { message }) => {
    try {
      JSON.parse(value);
      return value;
    } catch {
      return message({ custom: 'must be valid JSON text' });
    }
  });

const members = {
  isComplete: Joi.boolean().description('true completes the submission, which cannot be undone'),
  currentPage: Joi.number().integer().min(0).max(2_147_483_647).description('page the respondent is on'),
  jsonData: jsonText.description('answers, JSON text; kept byte for byte').example('{"country":"IS"}'),
  metadata: jsonText
    .description('JSON text; kept byte for byte, but a PATCH merges objects at their top level')
    .example('{"source":"kiosk"}'),
};

const outcome = {
  collectionOutcome: Joi.string().valid('screen_out').description('marks a screen-out; wins over isComplete'),
};

const noOutcome = {
  collectionOutcome: Joi.forbidden().messages({
    'any.unknown': 'is taken only from respondents: on public create and by token',
  }),
};

/**
 * Of respondents: what is not named here has no effect, a submitter least of all (`dropSubmitterFields` counts tries).
 * Refusing it would break form runtimes that send more than this version knows.
 */
export const respondentSchema = Joi.object<SubmissionChanges>({ ...members, ...outcome })
  .unknown(true)
  .id('RespondentChanges');

/** Of staff, by id. A submission that was read may be sent back whole, so that further members are ignored here too. */
export const staffSchema = Joi.object<SubmissionChanges>({ ...members, ...noOutcome })
  .unknown(true)
  .id('SubmissionChanges');

const submitter = Joi.object<OnBehalfSubmitter>({
  externalSubjectId: visibleText(longestSubject)
    .required()
    .description('who it is, in the words of the provider; with authProvider it finds the submitter again')
    .example('crm-4711'),
  displayId: visibleText(longestDisplayId)
    .required()
    .description('becomes submitterDisplayId')
    .example('ada@example.org'),
  authProvider: visibleText(longestProvider)
    .empty(Joi.valid('', null))
    .description('who vouches for the subject; `Integration` unless told'),
  appUserId: idSchema.empty(null).description('an own user; integrations name people by externalSubjectId'),
  profile: Joi.object()
    .empty(null)
    .description('map of text; only the configured fields are kept')
    .example({ department: 'Research' }),
}).id('OnBehalfSubmitter');

/** Of integrations. Strict: a misspelt `submitter` must not become an anonymous submission. */
export const onBehalfSchema = Joi.object<OnBehalfBody>({
  ...members,
  ...noOutcome,
  submitter: submitter.allow(null).description('the respondent; null or absent: anonymous'),
}).id('OnBehalfSubmission');

/** Members with which somebody might try to say who they are. */
const submitterFields = [
  'submitter',
  'submitterId',
  'submitterDisplayId',
  'submitterProfileSnapshot',
  'submittedBy',
  'authProvider',
  'externalSubjectId',
  'appUserId',
  'displayId',
  'profile',
  'restrictionKey',
  'isTestSubmission',
  'tenantId',
] as const;

export type SubmitterField = (typeof submitterFields)[number];

/** Takes only what a save may change, and tells which submitter fields were dropped. */
export function dropSubmitterFields(body: SubmissionChanges): {
  changes: SubmissionChanges;
  dropped: SubmitterField[];
} {
  const dropped = submitterFields.filter((field) => Object.hasOwn(body, field));
  const changes: SubmissionChanges = {};
  if (body.isComplete !== undefined) changes.isComplete = body.isComplete;
  if (body.currentPage !== undefined) changes.currentPage = body.currentPage;
  if (body.jsonData !== undefined) changes.jsonData = body.jsonData;
  if (body.metadata !== undefined) changes.metadata = body.metadata;
  if (body.collectionOutcome !== undefined) changes.collectionOutcome = body.collectionOutcome;
  return { changes, dropped };
}
