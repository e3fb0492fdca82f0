import type { SubmissionView } from '@canvass/contracts';
import { statement } from '@canvass/postgres';
import { mayContinue, windowOf } from './form-window.sql';

/** The respondent of an unfinished submission. */
interface Owner {
  tenantId: string;
  formId: string;
  authProvider: string;
  externalSubjectId: string;
}

/** Submissions `s` of the respondent that hold the gate of the form `f`. */
const held = (
  tenantId: string,
) => `f.tenant_id = ${tenantId} and f.id = $formId and f.deleted_at is null and f.limit_one_per_user
      and r.tenant_id = f.tenant_id and r.auth_provider = $authProvider and r.external_subject_id = $externalSubjectId
      and s.tenant_id = f.tenant_id and s.form_id = f.id and s.submitter_id = r.id
      and s.deleted_at is null and not s.is_test_submission`;

/** Gives the unfinished submission another token. Its answers stay, so there is no event. */
export const resumeOpen = statement<
  Owner & { tokenHash: Buffer; tokenHolder: string | null; graceMinutes: number },
  { view: SubmissionView }
>(
  'submissions_resume_open',
  `update submissions s set token_hash = $tokenHash, token_holder = $tokenHolder::json, token_used_at = null,
     token_issued_at = now(), token_expires_at = now() + make_interval(hours => coalesce(f.submission_token_expiry_hours, 24))
   from forms f, submitters r
   where ${held('$tenantId')} and not s.is_complete and s.collection_status <> 'screen_out' and f.is_enabled
     and ${mayContinue('f')}
   returning submission_json(s) as view`,
);

/** A form as its caller finds it. */
export interface FormStateRow {
  tenantId: string;
  isEnabled: boolean;
  isPublic: boolean;
  is_before: boolean;
  is_after: boolean;
  opensAt: string | null;
  closesAt: string | null;
  isFull: boolean;
  mayContinue: boolean;
  /** Of the submission that holds the gate; null without one. */
  isDone: boolean | null;
}

/** An anonymous caller has neither tenant nor subject. */
type Caller = { [Name in keyof Owner]: Name extends 'formId' ? string : string | null };

export const findFormState = statement<Caller & { graceMinutes: number }, FormStateRow>(
  'submissions_find_form_state',
  `select f.tenant_id as "tenantId", f.is_enabled as "isEnabled", f.is_public as "isPublic", ${windowOf('f')},
     ${mayContinue('f')} as "mayContinue",
     coalesce((select p.taken >= f.max_submissions from form_places p where p.tenant_id = f.tenant_id and p.form_id = f.id), false) as "isFull",
     (select s.is_complete or s.collection_status = 'screen_out' from submitters r, submissions s
      where ${held('$tenantId::bigint')} limit 1) as "isDone"
   from forms f where f.id = $formId and f.deleted_at is null`,
);
