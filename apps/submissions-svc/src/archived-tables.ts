import { actorSchema } from '@canvass/audit';
import { rulesOf, type ArchivedTable } from '@canvass/tenant-archive';
import Joi from 'joi';
import { commentBody } from './comments';
import { newFormSchema } from './forms';
import { submissionBodies, type SubmissionSettings } from './submissions';
import { maxDisplayIdLength, maxProviderLength, maxSubjectLength } from './submitters';

/** The sizes were checked where the answers came from. */
const { staff } = submissionBodies({
  MaxJsonDataBytes: Number.MAX_SAFE_INTEGER,
  MaxMetadataBytes: Number.MAX_SAFE_INTEGER,
} as SubmissionSettings);
const texts = {
  json_data: staff.extract('jsonData').required(),
  metadata: staff.extract('metadata').required(),
};
const definition = newFormSchema.extract('definition').required();
const displayId = Joi.string().max(maxDisplayIdLength);
const profile = Joi.object().pattern(Joi.string(), Joi.string().allow('')).allow(null);

const isKept = (form: string) =>
  `exists (select from forms f where f.tenant_id = t.tenant_id and f.id = ${form} and f.deleted_at is null)`;
const isKeptSubmission = `exists (select from submissions s where s.tenant_id = t.tenant_id
  and s.id = t.submission_id and s.deleted_at is null
  and exists (select from forms f where f.tenant_id = s.tenant_id and f.id = s.form_id and f.deleted_at is null))`;

/**
 * The tables that a tenant takes along to another installation. Webhook settings stay: their keys are sealed
 * with a key of this installation, and both installations would send. Slugs stay: another form may have them
 * there. Tokens of submissions and
 * links are kept as hashes, so respondents can continue.
 */
export const archivedTables: readonly ArchivedTable[] = [
  {
    name: 'forms',
    key: ['id'],
    without: ['slug', 'web_hook_settings_json', 'webhook_settings_version'],
    where: 't.deleted_at is null',
    rules: rulesOf({
      name: newFormSchema.extract('name'),
      description: newFormSchema.extract('description'),
      definition,
      submission_token_expiry_hours: newFormSchema.extract('submissionTokenExpiryHours'),
      retention_days: newFormSchema.extract('retentionDays'),
      max_submissions: newFormSchema.extract('maxSubmissions'),
      page: newFormSchema.extract('page'),
      answer_check: newFormSchema.extract('answerCheck'),
      data_list_ids: newFormSchema.extract('dataListIds').required(),
    }),
  },
  {
    name: 'form_versions',
    key: ['form_id', 'revision'],
    where: isKept('t.form_id'),
    rules: rulesOf({ definition, saved_by: actorSchema.allow(null) }),
  },
  {
    name: 'submitters',
    key: ['id'],
    rules: rulesOf({
      auth_provider: Joi.string().max(maxProviderLength).required(),
      external_subject_id: Joi.string().max(maxSubjectLength).required(),
      display_id: displayId.required(),
      profile,
    }),
  },
  {
    name: 'submissions',
    key: ['id'],
    where: `t.deleted_at is null and ${isKept('t.form_id')}`,
    rules: rulesOf({
      ...texts,
      answer_faults: Joi.array()
        .items(Joi.object({ question: Joi.string().allow('').required(), rule: Joi.string().required() }))
        .allow(null),
      current_page: staff.extract('currentPage').required(),
      submitter_display_id: displayId.allow(null),
      submitter_profile_snapshot: profile,
    }),
  },
  {
    name: 'submission_versions',
    key: ['submission_id', 'revision'],
    where: isKeptSubmission,
    rules: rulesOf(texts),
  },
  {
    name: 'submission_links',
    key: ['id'],
    where: isKeptSubmission,
    rules: rulesOf({ note: Joi.string().max(500).allow(null), created_by: actorSchema.allow(null) }),
  },
  {
    name: 'submission_comments',
    key: ['id'],
    where: isKeptSubmission,
    rules: rulesOf({ text: commentBody.extract('text'), created_by: actorSchema.required() }),
  },
];
