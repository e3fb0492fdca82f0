import { submissionMembers } from '@canvass/contracts';
import type { WakeTime } from '@canvass/outbox';
import { idSchema, visibleText } from '@canvass/service-kit';
import Joi from 'joi';
import {
  maxDisplayIdLength,
  maxProviderLength,
  maxSubjectLength,
  type OnBehalfSubmitter,
} from '../submitters';
import { linkBody, type LinkBody } from '../links';
import { deepestJson, isTooDeep } from './json-text';
import { bodyLimitOf, type SubmissionSettings } from './submission-settings';

/** The members that a save may change. Absent ones do not change. */
export interface SubmissionChanges {
  isComplete?: boolean;
  currentPage?: number;
  jsonData?: string;
  metadata?: string;
  collectionOutcome?: 'screen_out';
}

/** Bytes of the answers and metadata that a save stores. */
export const answerBytes = ({ jsonData = '', metadata = '' }: SubmissionChanges): number =>
  Buffer.byteLength(jsonData) + Buffer.byteLength(metadata);

/**
 * The time when the outbox is scanned after these changes are stored. A webhook is sent for a completion and
 * for a screen-out; other changes only inform clients and other consumers.
 */
export const wakeTimeOf = ({ isComplete, collectionOutcome }: SubmissionChanges): WakeTime =>
  isComplete === true || collectionOutcome !== undefined ? 'now' : 'soon';

export const depthFault = `must be nested at most ${deepestJson} levels deep`;

/** The body of a create by a respondent. */
interface CreateBody extends SubmissionChanges {
  isTest?: boolean;
}

type InvitedBody = Pick<SubmissionChanges, 'jsonData' | 'metadata' | 'currentPage'> & {
  submitter: OnBehalfSubmitter;
};

interface OnBehalfBody extends SubmissionChanges {
  submitter?: OnBehalfSubmitter | null;
  link?: LinkBody | null;
}

/**
 * JSON text of at most `limit` bytes of UTF-8, stored byte for byte. Only its grammar and depth are checked.
 * It is never stored as jsonb, so escapes that jsonb rejects (U+0000, lone surrogates) are accepted.
 */
const jsonText = (limit: number) =>
  Joi.string()
    .max(limit, 'utf8')
    .messages({
      'string.empty': 'must be valid JSON text',
      'string.max': 'must be at most {#limit} bytes of UTF-8',
    })
    .custom((value: string, { message }) => {
      try {
        JSON.parse(value);
        return isTooDeep(value) ? message({ custom: depthFault }) : value;
      } catch {
        return message({ custom: 'must be valid JSON text' });
      }
    });

const membersOf = ({ MaxJsonDataBytes, MaxMetadataBytes }: SubmissionSettings) => ({
  isComplete: Joi.boolean().description('true completes the submission, which cannot be undone'),
  currentPage: Joi.number().integer().min(0).max(2_147_483_647).description('page the respondent is on'),
  jsonData: jsonText(MaxJsonDataBytes)
    .description(
      `answers, JSON text of at most ${MaxJsonDataBytes} bytes of UTF-8 and ${deepestJson} levels; stored byte for byte`,
    )
    .example('{"country":"IS"}'),
  metadata: jsonText(MaxMetadataBytes)
    .description(
      `JSON text of at most ${MaxMetadataBytes} bytes of UTF-8 and ${deepestJson} levels; stored byte for byte, but a PATCH merges objects at their top level`,
    )
    .example('{"source":"kiosk"}'),
});

const outcome = {
  collectionOutcome: Joi.string().valid('screen_out').description('marks a screen-out; wins over isComplete'),
};

const noOutcome = {
  collectionOutcome: Joi.forbidden().messages({
    'any.unknown': 'is accepted from respondents only: on public create and by token',
  }),
};

/** Separate limit, because an event contains the stored fields of a profile. */
const maxProfileBytes = 64 * 1024;

const submitter = Joi.object<OnBehalfSubmitter>({
  externalSubjectId: visibleText(maxSubjectLength)
    .required()
    .description('id of the respondent at the provider; with authProvider it identifies the submitter')
    .example('crm-4711'),
  displayId: visibleText(maxDisplayIdLength)
    .required()
    .description('becomes submitterDisplayId')
    .example('ada@example.org'),
  authProvider: visibleText(maxProviderLength)
    .empty(Joi.valid('', null))
    .description('provider of the subject; default `Integration`'),
  appUserId: idSchema
    .empty(null)
    .description(
      'id of a service-owned user; identifies the submitter if authProvider is `Service`, otherwise it is only stored',
    ),
  profile: Joi.object()
    .empty(null)
    .custom((value: object, { message }) =>
      Buffer.byteLength(JSON.stringify(value)) > maxProfileBytes
        ? message({ custom: `must be at most ${maxProfileBytes} bytes as JSON` })
        : value,
    )
    .description(
      `map of text, at most ${maxProfileBytes} bytes as JSON; only the configured fields are stored`,
    )
    .example({ department: 'Research' }),
}).id('OnBehalfSubmitter');

/** The request bodies of the operations on submissions, within the configured sizes. */
export interface SubmissionBodies {
  create: Joi.ObjectSchema<CreateBody>;
  respondent: Joi.ObjectSchema<SubmissionChanges>;
  staff: Joi.ObjectSchema<SubmissionChanges>;
  onBehalf: Joi.ObjectSchema<OnBehalfBody>;
  /** A person of an invitation. */
  invited: Joi.ObjectSchema<InvitedBody>;
  /** Maximum size of each request body in bytes. */
  bodyLimit: number;
}

/** Members of a response, so that it can be sent back. */
const sentBack = Object.fromEntries(
  [...Object.keys(submissionMembers), 'createdBy', 'answerFaults', 'token', 'linkRight'].map((name) => [
    name,
    Joi.any().strip(),
  ]),
);

/**
 * The schemas of request bodies. A respondent may send the names of a submitter, which have no effect. All
 * other unknown members are refused: a misspelt `jsonData` must not complete an empty submission.
 */
export function submissionBodies(settings: SubmissionSettings): SubmissionBodies {
  const members = membersOf(settings);
  return {
    respondent: Joi.object<SubmissionChanges>({ ...sentBack, ...dropped, ...members, ...outcome })
      .example({ jsonData: '{"country":"IS"}', currentPage: 1 })
      .id('RespondentChanges'),
    create: Joi.object<CreateBody>({
      ...sentBack,
      ...dropped,
      ...members,
      ...outcome,
      isTest: Joi.boolean().description(
        'true: a test submission, which counts for no gate; needs `Submissions.Test`',
      ),
    })
      .example({ jsonData: '{"country":"IS"}', currentPage: 1 })
      .id('SubmissionBody'),
    staff: Joi.object<SubmissionChanges>({ ...dropped, ...sentBack, ...members, ...noOutcome })
      .example({ jsonData: '{"country":"IS"}', isComplete: true })
      .id('SubmissionChanges'),
    onBehalf: Joi.object<OnBehalfBody>({
      ...members,
      ...noOutcome,
      submitter: submitter.allow(null).description('the respondent; anonymous if null or absent'),
      link: linkBody.allow(null).description('a link for the respondent, made with the submission'),
    })
      .example({
        jsonData: '{"country":"IS"}',
        isComplete: true,
        submitter: {
          externalSubjectId: 'crm-4711',
          displayId: 'ada@example.org',
          profile: { department: 'Research' },
        },
      })
      .id('OnBehalfSubmission'),
    invited: Joi.object<InvitedBody>({
      jsonData: members.jsonData,
      metadata: members.metadata,
      currentPage: members.currentPage,
      submitter: submitter.required(),
    }).prefs({ errors: { label: false } }),
    bodyLimit: bodyLimitOf(settings),
  };
}

/** Members with which a client might try to set the submitter. */
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

/** A field as the API writes it and as data models do: `submitterId`, `SubmitterId`. */
const spellingsOf = (field: SubmitterField) => [field, field[0]!.toUpperCase() + field.slice(1)];

const dropped = Object.fromEntries(
  submitterFields
    .flatMap(spellingsOf)
    .map((name) => [name, Joi.any().description('Ignored: the token says who the respondent is.')]),
);

/** Keeps only the members that a save may change, and reports the dropped submitter fields. */
export function dropSubmitterFields(body: SubmissionChanges): {
  changes: SubmissionChanges;
  dropped: SubmitterField[];
} {
  const dropped = submitterFields.filter((field) =>
    spellingsOf(field).some((name) => Object.hasOwn(body, name)),
  );
  const changes: SubmissionChanges = {};
  if (body.isComplete !== undefined) changes.isComplete = body.isComplete;
  if (body.currentPage !== undefined) changes.currentPage = body.currentPage;
  if (body.jsonData !== undefined) changes.jsonData = body.jsonData;
  if (body.metadata !== undefined) changes.metadata = body.metadata;
  if (body.collectionOutcome !== undefined) changes.collectionOutcome = body.collectionOutcome;
  return { changes, dropped };
}

/** Removes what only the service may set, and counts it. */
export function respondentChanges(
  body: SubmissionChanges,
  countDropped: (field: SubmitterField) => void,
): SubmissionChanges {
  const { changes, dropped } = dropSubmitterFields(body);
  dropped.forEach((field) => countDropped(field));
  return changes;
}
