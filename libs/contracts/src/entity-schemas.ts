import Joi from 'joi';
import { dataListExample, dataListItemExample, formExample, submissionExample } from './entity-examples';
import type { DataListItem, DataListView, FormView, SubmissionView } from './entities';
import { exactObject } from './exact-object';
import { wireDate, wireId } from './wire-types';

const revision = wireId.description(
  'grows by exactly 1 with every change; a gap is an update that was missed',
);
const createdAt = wireDate.description('when it was created');
const modifiedAt = wireDate.description('when it was last changed');

/** Members of a submission, for schemas of more than it. */
export const submissionMembers: Joi.StrictSchemaMap<SubmissionView> = {
  id: wireId.description('id of the submission'),
  formId: wireId.description('the form that was answered'),
  isComplete: Joi.boolean().description('whether the respondent has finished; never undone'),
  isTestSubmission: Joi.boolean().description('a test by staff on a gated form; it holds no gate'),
  currentPage: Joi.number().integer().min(0).max(2_147_483_647).description('page the respondent is on'),
  jsonData: Joi.string().description('answers, JSON text: the bytes that were sent'),
  metadata: Joi.string().description('JSON text'),
  collectionStatus: Joi.string()
    .valid('not_started', 'in_progress', 'complete', 'screen_out')
    .description('how far the collection of answers is'),
  status: Joi.string()
    .valid('new', 'read', 'approved', 'declined')
    .description("the reviewers' word; set by hand"),
  submitterId: wireId.allow(null).description('the identified respondent; null: anonymous'),
  submitterDisplayId: Joi.string().allow(null).description('how the respondent was called at that time'),
  submitterProfileSnapshot: Joi.object<Record<string, string>>()
    .pattern(Joi.string(), Joi.string().allow(''))
    .allow(null)
    .description('configured fields of the profile at that time; never changes afterwards'),
  submittedBy: Joi.string()
    .allow('', null)
    .description('legacy mirror of submitterId; to be dropped in a future release'),
  startedAt: wireDate.allow(null).description('when the respondent first saved; null before that'),
  completedAt: wireDate.allow(null).description('when it was completed; null: it is not'),
  createdAt,
  modifiedAt,
  revision,
};

/** Answers of one respondent, as API and events show them. */
export const submissionViewSchema = exactObject<SubmissionView>('Submission', submissionMembers)
  .description('Answers of one respondent to a form.')
  .example(submissionExample);

/** Members of a form, for schemas of more than it. */
export const formMembers: Joi.StrictSchemaMap<FormView> = {
  id: wireId.description('id of the form'),
  name: Joi.string().max(200).description('what the form is called'),
  description: Joi.string().allow('', null).max(2000).description('what the form is for'),
  isEnabled: Joi.boolean().description('whether the form takes submissions'),
  isPublic: Joi.boolean().description('whether respondents need no token'),
  limitOnePerUser: Joi.boolean().description('one submission per identified respondent'),
  definition: Joi.object<Record<string, unknown>>()
    .unknown(true)
    .description('for the form runtime; any JSON object'),
  submissionTokenExpiryHours: Joi.number()
    .integer()
    .min(1)
    .max(87_600)
    .allow(null)
    .description('how long the token of an unfinished submission is accepted after each use; null: 24'),
  dataListIds: Joi.array().items(wireId).max(100).description('data lists the form may read'),
  createdAt,
  modifiedAt,
  revision,
};

/** A form without its webhook settings, as events show it. */
export const formViewSchema = exactObject<FormView>('Form', formMembers)
  .description('A form, without its webhook settings.')
  .example(formExample);

/** Members of a data list without its items, for schemas of more than it. */
export const dataListMembers: Joi.StrictSchemaMap<DataListView> = {
  id: wireId.description('id of the data list'),
  name: Joi.string().max(200).description('what the list is called'),
  description: Joi.string().allow('', null).max(2000).description('what the list is for'),
  isActive: Joi.boolean().description('whether its public search answers'),
  defaultLocale: Joi.string().description('culture key that the label `default` stands for'),
  availableLocales: Joi.array().items(Joi.string()).description('culture keys that labels may have'),
  itemsCount: Joi.number().integer().min(0).max(2_147_483_647).description('how many items the list has'),
  createdAt,
  modifiedAt,
  revision,
};

/** A data list without its items, as API and events show it. */
export const dataListViewSchema = exactObject<DataListView>('DataList', dataListMembers)
  .description('A list of choices, without its items.')
  .example(dataListExample);

/** One choice of a data list. */
export const dataListItemSchema = exactObject<DataListItem>('DataListItem', {
  value: Joi.string().description('invariant key of the row, unique in the list'),
  labels: Joi.object<Record<string, string>>({
    default: Joi.string().allow('').required().description("label in the list's default locale"),
  })
    .pattern(Joi.string(), Joi.string().allow(''))
    .description('label by culture key, and always `default`'),
})
  .description('One choice: its value and its labels.')
  .example(dataListItemExample);
