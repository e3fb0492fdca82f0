import Joi from 'joi';
import { dataListExample, dataListItemExample, formExample, submissionExample } from './entity-examples';
import {
  collectionStatuses,
  type DataListItem,
  type DataListView,
  type HostedPage,
  type FormView,
  type SubmissionView,
} from './entities';
import { exactObject } from './exact-object';
import { wireDate, wireId } from './wire-types';

const revision = wireId.description('grows by exactly 1 with every change; a gap means a missed update');
const createdAt = wireDate.description('when it was created');
const modifiedAt = wireDate.description('when it was last changed');

/** Members of a submission, for schemas that extend it. */
export const submissionMembers: Joi.StrictSchemaMap<SubmissionView> = {
  id: wireId.description('id of the submission'),
  formId: wireId.description('the form that was answered'),
  isComplete: Joi.boolean().description('whether the respondent has finished; cannot be undone'),
  isTestSubmission: Joi.boolean().description('a test by staff; the single-submission gate ignores it'),
  currentPage: Joi.number().integer().min(0).max(2_147_483_647).description('page the respondent is on'),
  jsonData: Joi.string().description('answers as JSON text, with the bytes that were sent'),
  metadata: Joi.string().description('JSON text'),
  collectionStatus: Joi.string()
    .valid(...collectionStatuses)
    .description('progress of the collection of answers'),
  status: Joi.string()
    .valid('new', 'read', 'approved', 'declined')
    .description('review status, set by reviewers'),
  submitterId: wireId.allow(null).description('the identified respondent; null if anonymous'),
  submitterDisplayId: Joi.string().allow(null).description('display name of the respondent at that time'),
  submitterProfileSnapshot: Joi.object<Record<string, string>>()
    .pattern(Joi.string(), Joi.string().allow(''))
    .allow(null)
    .description('configured profile fields at that time; only an erasure changes them'),
  submittedBy: Joi.string()
    .allow('', null)
    .description('legacy mirror of submitterId; to be dropped in a future release'),
  startedAt: wireDate.allow(null).description('when the respondent first saved; null before'),
  completedAt: wireDate.allow(null).description('when it was completed; null if it is not complete'),
  createdAt,
  modifiedAt,
  revision,
};

/** Answers of one respondent, in the API and in events. */
export const submissionViewSchema = exactObject<SubmissionView>('Submission', submissionMembers)
  .description('Answers of one respondent to a form.')
  .example(submissionExample);

/** Members of a form, for schemas that extend it. */
export const formMembers: Joi.StrictSchemaMap<FormView> = {
  id: wireId.description('id of the form'),
  name: Joi.string().max(200).description('name of the form'),
  description: Joi.string().allow('', null).max(2000).description('purpose of the form'),
  isEnabled: Joi.boolean().description('whether the form accepts submissions'),
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
    .description(
      'hours for which the token of an unfinished submission is valid after each use, in all at most 90 days or these hours; null means 24',
    ),
  retentionDays: Joi.number()
    .integer()
    .min(1)
    .max(36_500)
    .allow(null)
    .description('submissions are erased so many days after their creation; null: never'),
  opensAt: wireDate.allow(null).description('the form accepts submissions from then on; null: at once'),
  closesAt: wireDate
    .allow(null)
    .description('the form accepts no new submissions from then on; null: it does not close'),
  maxSubmissions: Joi.number()
    .integer()
    .min(1)
    .max(10_000_000)
    .allow(null)
    .description('the number of submissions that the form accepts, without tests; null: any'),
  slug: Joi.string()
    .max(64)
    .allow(null)
    .description('name in the address of its page, `/f/{slug}`; null: none'),
  page: exactObject<HostedPage>('HostedPage', {
    logo: Joi.string().allow(null).description('data URL of an image'),
    accent: Joi.string().allow(null).description('colour of buttons, `#rrggbb`'),
    scheme: Joi.string().valid('auto', 'light', 'dark').description('`auto`: as the browser prefers'),
    frameAncestors: Joi.array().items(Joi.string()).description('origins whose pages may embed it'),
    redirectTo: Joi.string().allow(null).description('address to go to after the completion'),
    redirectHosts: Joi.array()
      .items(Joi.string())
      .description('further hosts to which the definition may lead'),
  })
    .description('the page of the form; null: as it is without settings')
    .allow(null),
  answerCheck: Joi.string()
    .valid('off', 'report', 'enforce')
    .description('what happens with answers of a completion that the definition does not permit'),
  dataListIds: Joi.array().items(wireId).max(100).description('data lists the form may read'),
  createdAt,
  modifiedAt,
  revision,
};

/** A form without its webhook settings, as in events. */
export const formViewSchema = exactObject<FormView>('FormData', formMembers)
  .description('A form, without its webhook settings.')
  .example(formExample);

/** Members of a data list without its items, for schemas that extend it. */
export const dataListMembers: Joi.StrictSchemaMap<DataListView> = {
  id: wireId.description('id of the data list'),
  name: Joi.string().max(200).description('name of the list'),
  description: Joi.string().allow('', null).max(2000).description('purpose of the list'),
  isActive: Joi.boolean().description('whether its public search is available'),
  defaultLocale: Joi.string().description('culture key of the label `default`'),
  availableLocales: Joi.array().items(Joi.string()).description('culture keys of the labels'),
  order: Joi.string()
    .valid('label', 'file')
    .description('what sorts the items of pages and searches: the shown label, or the file of the import'),
  itemsCount: Joi.number().integer().min(0).max(2_147_483_647).description('number of items'),
  createdAt,
  modifiedAt,
  revision,
};

/** A data list without its items, in the API and in events. */
export const dataListViewSchema = exactObject<DataListView>('DataList', dataListMembers)
  .description('A list of choices, without its items.')
  .example(dataListExample);

/** One choice of a data list. */
export const dataListItemSchema = exactObject<DataListItem>('DataListItem', {
  value: Joi.string().description('invariant key of the item, unique in the list'),
  labels: Joi.object<Record<string, string>>({
    default: Joi.string().allow('').required().description('label in the default locale of the list'),
  })
    .pattern(Joi.string(), Joi.string().allow(''))
    .description('label by culture key, and always `default`'),
})
  .description('One choice: its value and its labels.')
  .example(dataListItemExample);
