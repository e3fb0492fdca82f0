import type { SubmissionView } from '@canvass/contracts';
import { statement } from '@canvass/postgres';
import type { Actor } from '@canvass/service-kit';
import type { AnswerFault } from '../answer-check';
import { filterFields } from '../filters';

/** Number of former versions of the answers that a submission keeps. */
export const maxVersions = 50;

/** Maximum size of these versions in bytes. The newest is always kept. */
export const maxVersionBytes = 64 * 1024 * 1024;

/** A submission for staff. */
export type SubmissionDetail = SubmissionView & {
  /** The integration that created it on behalf of the respondent; null: the respondent did. */
  createdBy: Actor | null;
  /** The faults of its answers when they were checked; null: they were not. */
  answerFaults: AnswerFault[] | null;
};

/** Answers that a later save replaced. */
export interface SubmissionVersion {
  /** The last revision of the submission that had these answers. */
  revision: string;
  jsonData: string;
  metadata: string;
  savedAt: string;
  /** The staff or integration that saved them; null for the respondent. */
  savedBy: Actor | null;
  replacedAt: string;
}

export const getSubmission = statement<
  { tenantId: string; formId: string; id: string },
  { view: SubmissionView } & Pick<SubmissionDetail, 'createdBy' | 'answerFaults'>
>(
  'submissions_get',
  `select submission_json(s) as view, s.created_by as "createdBy", s.answer_faults as "answerFaults"
   from submissions s join forms f on f.tenant_id = s.tenant_id and f.id = s.form_id and f.deleted_at is null
   where s.tenant_id = $tenantId and s.form_id = $formId and s.id = $id and s.deleted_at is null`,
);

/** Returns a row if the submission has a token that was never used. */
export const findUnusedToken = statement<{ tenantId: string; id: string }, { unused: true }>(
  'submissions_find_unused_token',
  `select true as unused from submissions where tenant_id = $tenantId and id = $id
     and token_hash is not null and token_used_at is null and deleted_at is null`,
);

/** Reads the tenant of a form of any tenant. */
export const getFormTenant = statement<{ formId: string }, { tenant_id: string }>(
  'submissions_get_form_tenant',
  `select f.tenant_id from forms f where f.id = $formId and f.deleted_at is null`,
);

/** Returns no row if there is no such form. */
export const getFormName = statement<{ tenantId: string; formId: string }, { name: string }>(
  'submissions_get_form_name',
  `select f.name from forms f where f.tenant_id = $tenantId and f.id = $formId and f.deleted_at is null`,
);

/** Returns no row if there is no such form. */
export const getFormDefinition = statement<
  { tenantId: string; formId: string },
  { name: string; definition: Record<string, unknown> }
>(
  'submissions_get_form_definition',
  `select f.name, f.definition from forms f
   where f.tenant_id = $tenantId and f.id = $formId and f.deleted_at is null`,
);

/** Returns no row if there is no such submission. */
export const findSubmission = statement<{ tenantId: string; formId: string; id: string }, { id: string }>(
  'submissions_find',
  `select s.id from submissions s
   join forms f on f.tenant_id = s.tenant_id and f.id = s.form_id and f.deleted_at is null
   where s.tenant_id = $tenantId and s.form_id = $formId and s.id = $id and s.deleted_at is null`,
);

const versionColumns = `v.revision, v.json_data as "jsonData", v.metadata, api_time(v.saved_at) as "savedAt",
     v.saved_by as "savedBy", api_time(v.replaced_at) as "replacedAt"`;
const newestVersions = `(select * from submission_versions where tenant_id = $tenantId and submission_id = $id
         order by revision desc limit ${maxVersions}) v`;

/** The former answers of a submission, for pages; the ids are the revisions. */
export const allVersions = statement<{ tenantId: string; id: string }, SubmissionVersion & { id: string }>(
  'submissions_all_versions',
  `select v.revision as id, ${versionColumns} from ${newestVersions}`,
);

interface Duplicates {
  /** Number of respondents with several submissions. */
  respondents: string;
  /** Number of those submissions. */
  submissions: string;
}

/** Submissions that count for the gate. */
const gated = `tenant_id = $tenantId and form_id = $formId and submitter_id is not null and deleted_at is null and not is_test_submission`;

export const countDuplicates = statement<{ tenantId: string; formId: string }, Duplicates>(
  'submissions_count_duplicates',
  `select count(*) as respondents, coalesce(sum(held), 0) as submissions from (
     select count(*) as held from submissions where ${gated} group by submitter_id having count(*) > 1) duplicates`,
);

/** A time longer than any create takes: an id is older than the commit of its row. In the form of an id. */
const tenMinutes = `(600000::bigint << 22)`;

/**
 * Counts the duplicates of respondents with a submission that was committed after the id `since` was drawn,
 * or up to ten minutes before.
 */
export const countDuplicatesSince = statement<
  { tenantId: string; formId: string; since: string },
  Duplicates
>(
  'submissions_count_duplicates_since',
  `select count(*) as respondents, coalesce(sum(held), 0) as submissions
   from (select distinct submitter_id as id from submissions where ${gated} and id > $since::bigint - ${tenMinutes}) recent,
     lateral (select count(*) as held from submissions where ${gated} and submitter_id = recent.id) of_one
   where held > 1`,
);

/** Submissions that a period of so many days erases within a day. */
export const countExpiring = statement<
  { tenantId: string; formId: string; days: number },
  { expiring: string }
>(
  'submissions_count_expiring',
  `select count(*) as expiring from submissions s
   where s.tenant_id = $tenantId and s.form_id = $formId and s.deleted_at is null
     and ${filterFields['createdAt']!.column} < (now() + interval '24 hours' - make_interval(days => $days)) at time zone 'UTC'`,
);
