import type { HostedPage } from '@canvass/contracts';
import { brokenRule, validationProblem } from '@canvass/errors';
import { idSchema, instantTextSchema, visibleText } from '@canvass/service-kit';
import Joi from 'joi';
import { answerChecks, type AnswerCheckMode } from '../answer-check';
import { settingsContent } from '../webhook-settings';
import { pageSchema, slugSchema } from './form-page';

/** The members of a form that a client can send. PATCH may omit any. */
export interface FormBody {
  name: string;
  description: string | null;
  isEnabled: boolean;
  isPublic: boolean;
  limitOnePerUser: boolean;
  definition: Record<string, unknown>;
  submissionTokenExpiryHours: number | null;
  retentionDays: number | null;
  opensAt: string | null;
  closesAt: string | null;
  maxSubmissions: number | null;
  slug: string | null;
  page: HostedPage | null;
  answerCheck: AnswerCheckMode;
  dataListIds: string[];
  /** JSON text; null for no override. */
  webHookSettingsJson: string | null;
}

export const dataListIdsSchema = Joi.array()
  .items(idSchema)
  .unique()
  .max(100)
  .description('data lists the form may read; another value than the stored one needs `DataLists.View`');

const members = {
  name: visibleText(200).description('name of the form').example('Registration'),
  description: Joi.string().allow('', null).max(2000).description('purpose of the form'),
  isEnabled: Joi.boolean().description('whether the form accepts submissions'),
  isPublic: Joi.boolean().description('whether respondents need no token'),
  limitOnePerUser: Joi.boolean().description(
    'one submission per identified respondent; anonymous ones are not limited',
  ),
  definition: Joi.object().description('for the form runtime; any JSON object').example({ pages: [] }),
  submissionTokenExpiryHours: Joi.number()
    .integer()
    .min(1)
    .max(87_600)
    .allow(null)
    .description(
      'hours for which the token of an unfinished submission is valid after each use, in all at most 90 days or these hours; null means 24',
    ),
  retentionDays: Joi.number()
    .integer()
    .min(1)
    .max(36_500)
    .allow(null)
    .description(
      'submissions are erased so many days after their creation; null: never. A shorter period needs `Submissions.Erase` and starts 24 hours after the change.',
    ),
  opensAt: instantTextSchema('the form accepts submissions from then on; null: at once').allow(null),
  closesAt: instantTextSchema(
    'the form accepts no new submissions from then on, and unfinished ones for `Service:Submissions:ClosingGraceMinutes` more; null: it does not close',
    '2026-12-31T23:00:00Z',
  ).allow(null),
  maxSubmissions: Joi.number()
    .integer()
    .min(1)
    .max(10_000_000)
    .allow(null)
    .description('the number of submissions that the form accepts, without tests; null: any'),
  slug: slugSchema
    .allow(null)
    .description(
      'name of the form in the address of its page, `/f/{slug}`; no other form of the installation has it',
    )
    .example('registration'),
  page: pageSchema.allow(null),
  answerCheck: Joi.string()
    .valid(...answerChecks)
    .description(
      'what happens with answers of a completion that the definition (SurveyJS) does not permit: `off`, they are not checked; `report`, their faults are stored with the submission; `enforce`, it is a 400',
    ),
  dataListIds: dataListIdsSchema,
  webHookSettingsJson: Joi.string()
    .allow('', null)
    .meta(settingsContent)
    .description(
      'Webhook settings as JSON text, which replace those of the tenant for this form. `{}` sends no webhooks, null removes the override. At most 262144 characters, 20 endpoints per event. `********` keeps the stored secret of the same URL and header, client or certificate. Another value than the stored one needs `WebHooks.View`.',
    )
    .example('{}'),
};

/** @throws {Problem} `validation_failed` for a form that closes before it opens */
export function assertWindow({ opensAt, closesAt }: Pick<FormBody, 'opensAt' | 'closesAt'>): void {
  if (opensAt !== null && closesAt !== null && opensAt >= closesAt)
    throw validationProblem({ closesAt: [brokenRule('time.order')] });
}

/** The members of a form that clients change, for the audit trail. */
export const formMembers = Object.keys(members) as (keyof FormBody)[];

/** A member of the body of a change that is no member of a form. */
const confirmation = {
  retentionErases: Joi.number()
    .integer()
    .min(0)
    .description(
      'needed if a shorter `retentionDays` erases submissions a day after the change: how many it may erase. The 409 `confirmation_required` has their number in `erases`.',
    ),
};

/** The members that a change may have. */
export type FormChanges = Partial<FormBody> & { retentionErases?: number };

/** Members of the response that a client may send back with a change. They have no effect. */
const readOnly = Object.fromEntries(
  ['id', 'createdAt', 'modifiedAt', 'revision'].map((name) => [name, Joi.any().strip()]),
);

/**
 * POST: absent members get their defaults. Without `webHookSettingsJson` the settings of the tenant apply.
 */
export const newFormSchema = Joi.object<FormBody>({
  ...members,
  ...readOnly,
  name: members.name.required(),
  description: members.description.default(null),
  isEnabled: members.isEnabled.default(true),
  isPublic: members.isPublic.default(true),
  limitOnePerUser: members.limitOnePerUser.default(false),
  definition: members.definition.default({}),
  submissionTokenExpiryHours: members.submissionTokenExpiryHours.default(null),
  retentionDays: members.retentionDays.default(null),
  opensAt: members.opensAt.default(null),
  closesAt: members.closesAt.default(null),
  maxSubmissions: members.maxSubmissions.default(null),
  slug: members.slug.default(null),
  page: members.page.default(null),
  answerCheck: members.answerCheck.default('report'),
  dataListIds: members.dataListIds.default([]),
  webHookSettingsJson: members.webHookSettingsJson.default(null),
})
  .example({ name: 'Registration', definition: { pages: [{ elements: [{ type: 'text', name: 'city' }] }] } })
  .id('FormBody');

/** Members that PUT always sets. Other absent members keep their value. */
export type ReplacedForm = FormChanges & Pick<FormBody, 'name' | 'isEnabled' | 'webHookSettingsJson'>;

/**
 * PUT: a client that knows only the members of the specification must not change others; above all it must
 * not make a private form public. Without `webHookSettingsJson` the override is removed (specification,
 * webHookSettingsJson rule 1).
 */
export const replacedFormSchema = Joi.object<ReplacedForm>({
  ...members,
  ...confirmation,
  ...readOnly,
  name: members.name.required(),
  isEnabled: members.isEnabled.required(),
  webHookSettingsJson: members.webHookSettingsJson.default(null),
})
  .example({ name: 'Registration', isEnabled: false })
  .id('FormReplacement');

/** PATCH: absent members do not change. `webHookSettingsJson: null` removes the override. */
export const changedFormSchema = Joi.object<FormChanges>({ ...members, ...confirmation, ...readOnly })
  .example({ isEnabled: false, description: 'Closed on Friday.' })
  .id('FormChanges');
