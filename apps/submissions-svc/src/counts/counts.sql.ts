import { advisoryLocks } from '@canvass/postgres';
import type { CountedSet } from '@canvass/range-counts';

export interface FormKey {
  tenantId: string;
  formId: string;
}

export const countedSubmissions: CountedSet<FormKey> = {
  name: 'submission_counts',
  ranges: 'submission_counts',
  numbers: 'submissions',
  changes: 'submission_count_changes',
  id: 'submission_id',
  group: { tenant_id: 'tenantId', form_id: 'formId' },
  sources: [
    'select id from submissions where tenant_id = $tenantId and form_id = $formId and deleted_at is null',
  ],
  lock: `${advisoryLocks.submissionCounts}, hashint8($formId::bigint)`,
  endsWithDays: false,
};

export interface TenantKey {
  tenantId: string;
}

export const countedSubmitters: CountedSet<TenantKey> = {
  name: 'submitter_counts',
  ranges: 'submitter_counts',
  numbers: 'submitters',
  changes: 'submitter_count_changes',
  id: 'submitter_id',
  group: { tenant_id: 'tenantId' },
  sources: ['select id from submitters where tenant_id = $tenantId'],
  lock: `${advisoryLocks.submitterCounts}, hashint8($tenantId::bigint)`,
  endsWithDays: false,
};

const ofOuter = (table: string, form: string) =>
  `${table}.tenant_id = ${form}.tenant_id and ${table}.form_id = ${form}.id`;

/** SQL of the number of submissions of the form `form` of a statement, as a `bigint`. */
export const countSql = (form: string): string => `(
  coalesce((select sum(c.submissions) from submission_counts c where ${ofOuter('c', form)}), 0)
  + coalesce((select sum(x.change) from submission_count_changes x where ${ofOuter('x', form)}), 0)
  + (select count(*) from submissions s where ${ofOuter('s', form)} and s.deleted_at is null
       and s.id >= coalesce((select max(c.until_id) from submission_counts c where ${ofOuter('c', form)}), 0))
  )::bigint`;
