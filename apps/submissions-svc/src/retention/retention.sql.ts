import { insertAuditSql } from '@canvass/audit';
import { advisoryLocks, statement } from '@canvass/postgres';
import { retentionInForce } from '../forms';

/** One process at a time, until the transaction ends. */
export const tryLock = statement<void, { acquired: boolean }>(
  'retention_try_lock',
  `select pg_try_advisory_xact_lock(${advisoryLocks.retention}, hashtext(current_schema())) as acquired`,
);

export const findTenants = statement<void, { id: string }>(
  'retention_find_tenants',
  'select distinct tenant_id as id from forms order by 1',
);

interface Step {
  tenantId: string;
  limit: number;
}

export type AgedStep = Step & { days: number };

/** Submissions of one step, oldest first, locked. Rows that a request has locked are left to the next run. */
const chosen = (from: string, order: string, also = ''): string => `
  select s.id${also} from ${from} order by ${order} limit $limit for no key update of s skip locked`;

/** Older than the period of their form, with the period and who set it. */
export const findExpired = statement<Step, { id: string; cause: string }>(
  'retention_find_expired',
  chosen(
    `forms f join submissions s on s.tenant_id = f.tenant_id and s.form_id = f.id
     where f.tenant_id = $tenantId and f.retention_days is not null and s.deleted_at is null
       and s.created_at < now() - make_interval(days => ${retentionInForce})`,
    's.id',
    `, json_build_object('retentionDays', ${retentionInForce}, 'setBy', f.retention_set_by)::text as cause`,
  ),
);

/** Neither complete nor screened out, and not saved for so many days. */
export const findPartial = statement<AgedStep, { id: string }>(
  'retention_find_partial',
  chosen(
    `submissions s where s.tenant_id = $tenantId and s.collection_status in ('not_started', 'in_progress')
       and s.deleted_at is null and s.modified_at < now() - make_interval(days => $days)`,
    's.id',
  ),
);

/** Deleted so many days ago. */
export const findDeleted = statement<AgedStep, { id: string }>(
  'retention_find_deleted',
  chosen(
    `submissions s where s.tenant_id = $tenantId and s.deleted_at < now() - make_interval(days => $days)`,
    's.deleted_at',
  ),
);

/** Finds submissions of forms that were deleted so many days ago. */
export const findOfDeletedForms = statement<AgedStep, { id: string }>(
  'retention_find_of_deleted_forms',
  chosen(
    `forms f join submissions s on s.tenant_id = f.tenant_id and s.form_id = f.id
     where f.tenant_id = $tenantId and f.deleted_at < now() - make_interval(days => $days) and s.deleted_at is null`,
    's.id',
  ),
);

export const removeSubmissions = statement<{ tenantId: string; ids: readonly string[] }>(
  'retention_remove_submissions',
  `delete from submissions where tenant_id = $tenantId and id = any ($ids::bigint[])`,
);

export const recordSubmissions = statement<{ tenantId: string; ids: readonly string[]; audit: string }>(
  'retention_record_submissions',
  insertAuditSql({
    from: 'unnest($ids::bigint[]) s(id)',
    tenantId: '$tenantId::bigint',
    objectId: 's.id::text',
  }),
);

/** Deleted so many days ago, and without submissions. Returns one row for each. */
export const removeForms = statement<AgedStep & { audit: string }, object>(
  'retention_remove_forms',
  `with removed as (
   delete from forms f where f.tenant_id = $tenantId and f.id in (
     select d.id from forms d where d.tenant_id = $tenantId and d.deleted_at < now() - make_interval(days => $days)
       and not exists (select from submissions s where s.tenant_id = d.tenant_id and s.form_id = d.id)
     limit $limit)
   returning id),
   recorded as (${insertAuditSql({ from: 'removed', tenantId: '$tenantId::bigint', objectId: 'removed.id::text' })})
   select from removed`,
);
