import type { SubmissionView } from '@canvass/contracts';
import { statement } from '@canvass/postgres';

/** A submission of a respondent, without answers. */
export type SubmissionOfSubmitter = Pick<
  SubmissionView,
  | 'id'
  | 'formId'
  | 'isComplete'
  | 'isTestSubmission'
  | 'collectionStatus'
  | 'status'
  | 'startedAt'
  | 'completedAt'
  | 'createdAt'
  | 'modifiedAt'
  | 'revision'
> & { formName: string };

const view = `json_build_object(
  'id', s.id::text, 'formId', s.form_id::text, 'formName', f.name, 'isComplete', s.is_complete,
  'isTestSubmission', s.is_test_submission, 'collectionStatus', s.collection_status, 'status', s.status,
  'startedAt', api_time(s.started_at), 'completedAt', api_time(s.completed_at),
  'createdAt', api_time(s.created_at), 'modifiedAt', api_time(s.modified_at), 'revision', s.revision::text) as view`;

interface Person {
  tenantId: string;
  submitterId: string;
}

const ofPerson = `
  from submissions s join forms f on f.tenant_id = s.tenant_id and f.id = s.form_id
  where s.tenant_id = $tenantId and s.submitter_id = $submitterId and s.deleted_at is null`;

/** Submissions of all forms that are not deleted, for pages. */
export const allOfSubmitter = statement<Person, { id: string; view: SubmissionOfSubmitter }>(
  'submitters_submissions',
  `select s.id, ${view} ${ofPerson}`,
);

/** The changes of an erasure of a respondent. */
export interface ErasurePreview {
  submissions: number;
  deletedSubmissions: number;
  forms: number;
  gates: number;
  formerAnswers: number;
}

/** One row. */
export const previewErasure = statement<Person, ErasurePreview>(
  'submitters_preview_erasure',
  `with theirs as (
     select tenant_id, id, form_id, deleted_at, restriction_key from submissions
     where tenant_id = $tenantId and submitter_id = $submitterId
   )
   select count(*)::integer as submissions, count(deleted_at)::integer as "deletedSubmissions",
     count(distinct form_id)::integer as forms, (count(restriction_key) filter (where deleted_at is null))::integer as gates,
     (select count(*)::integer from theirs t
      join submission_versions v on v.tenant_id = t.tenant_id and v.submission_id = t.id) as "formerAnswers"
   from theirs`,
);
