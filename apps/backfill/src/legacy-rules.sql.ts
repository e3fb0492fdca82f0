import { ownProvider } from '@canvass/auth';

/**
 * The legacy migration rules of the specification as SQL expressions over a submission `t`. Lookups are
 * scalar subqueries within the tenant of the submission, so that no row is linked to a submitter of another
 * tenant. The parameter `$providers` has the external providers.
 */

/** Numeric: only ASCII digits, of any length. */
const isNumeric = `t.submitted_by ~ '^[0-9]+$'`;

/**
 * The id in SubmittedBy, if it is written like a bigint: no sign, no leading zero, at most 2^63-1; else null.
 * So `007` is no id. An orphan in the report is better than an answer of the wrong person.
 */
const namedId = `case
      when t.submitted_by ~ '^(0|[1-9][0-9]{0,17})$' then t.submitted_by::bigint
      when t.submitted_by ~ '^[1-9][0-9]{18}$' and t.submitted_by collate "C" <= '9223372036854775807'
        then t.submitted_by::bigint end`;

const submitterOfTenant = `submitters s where s.tenant_id = t.tenant_id`;

/** Rule A: numeric and the id of a submitter. */
export const byId = `(select s.id from ${submitterOfTenant} and s.id = ${namedId})`;

/** Rule B: numeric and the AppUserId of a submitter of the service's own provider. */
export const byAppUser = `(select s.id from ${submitterOfTenant} and s.app_user_id = ${namedId}
      and s.auth_provider = '${ownProvider}')`;

const externalNamesakes = `${submitterOfTenant} and s.auth_provider = any($providers::text[]) and s.external_subject_id = t.submitted_by`;

/**
 * Rule C: not numeric, and the subject of exactly one external identity, because with two it would be a
 * guess.
 */
export const bySubject = `(select min(s.id) from ${externalNamesakes} and not ${isNumeric} having count(*) = 1)`;

/** The rows of rules A–C. */
export const isUnlinked = `t.submitter_id is null and t.submitted_by is not null`;

/** The rows of rule E. `submitter` is the current or future id of the submitter. */
export const hasLegacyKey = (submitter = 't.submitter_id'): string =>
  `${submitter} is not null and not t.is_test_submission and t.restriction_key is not null
    and strpos(t.restriction_key, ':Submitter:') = 0`;

/** The current shape of a RestrictionKey. */
export const currentKey = (submitter = 't.submitter_id'): string =>
  `'SingleSubmission:Form:' || t.form_id || ':Submitter:' || ${submitter}`;

/** The reason why a row stays unlinked; a further run links `not_reached` rows. */
export const unlinkedReason = `case
    when coalesce(${byId}, ${byAppUser}, ${bySubject}) is not null then 'not_reached'
    when t.submitted_by = '' then 'empty'
    when ${isNumeric} then case
      when exists (select from ${externalNamesakes}) then 'numeric_subject'
      when t.submitted_by ~ '^0.' then 'leading_zero'
      when ${namedId} is null then 'beyond_64_bits'
      when exists (select from submitters s where s.id = ${namedId}) then 'submitter_of_another_tenant'
      else 'unknown_number' end
    when exists (select from ${externalNamesakes}) then 'ambiguous_subject'
    when exists (select from ${submitterOfTenant} and s.external_subject_id = t.submitted_by)
      then 'subject_of_another_provider'
    else 'unknown_subject' end`;
