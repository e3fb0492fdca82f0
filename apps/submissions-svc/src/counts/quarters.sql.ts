import { advisoryLocks, statement } from '@canvass/postgres';
import type { FormKey } from './counts.sql';

const quarter = `interval '15 minutes'`;
const startOf = (time: string) => `date_bin(${quarter}, ${time}, '2000-01-01Z')`;
const ofForm = (table: string) => `${table}.tenant_id = $tenantId and ${table}.form_id = $formId`;
/** Times as the indexes of lists have them. */
const ms = (column: string) => `date_trunc('milliseconds', ${column} at time zone 'UTC')`;
const isWithin = (column: string, from: string, to: string) =>
  `${ms(column)} >= ${from} at time zone 'UTC' and ${ms(column)} < ${to} at time zone 'UTC'`;

/** Waits for those who change submissions of the form now, until the transaction ends. */
export const lockQuarters = statement<{ formId: string }>(
  'quarters_lock',
  `select pg_advisory_xact_lock(${advisoryLocks.submissionQuarters}, hashint8($formId::bigint))`,
);

/** From now on changes before the last full quarter are recorded. The form must be locked. */
export const recordUntil = statement<FormKey & { youngestMs: number }>(
  'quarters_record_until',
  `insert into submission_quarter_forms as f (tenant_id, form_id, recorded_until)
   select $tenantId, $formId, ${startOf(`now() - $youngestMs::float8 * interval '1 millisecond'`)}
   where exists (select from forms where tenant_id = $tenantId and id = $formId)
   on conflict (tenant_id, form_id) do update set recorded_until = excluded.recorded_until
   where f.recorded_until < excluded.recorded_until`,
);

/** No row while another process counts the form. Counts need a snapshot that is younger than the lock. */
export const lockCounted = statement<FormKey, object>(
  'quarters_lock_counted',
  `select from submission_quarter_forms f where ${ofForm('f')} for no key update skip locked`,
);

/**
 * Counts the next quarters of a form, with about `size` submissions. The rows contain the changes that are
 * recorded by then, and reads add recorded changes, so the count subtracts them. Returns whether more
 * quarters follow. The form must be locked by `lockCounted`.
 */
export const countQuarters = statement<FormKey & { size: number }, { isMore: boolean }>(
  'quarters_count',
  `with form as materialized (
     select * from submission_quarter_forms f where ${ofForm('f')}
   ), next as materialized (
     select form.counted_until as since, least(form.recorded_until, coalesce((
       select ${startOf('s.created_at')} + ${quarter} from submissions s
       where ${ofForm('s')} and s.deleted_at is null and ${isWithin('s.created_at', 'form.counted_until', 'form.recorded_until')}
       order by ${ms('s.created_at')} limit 1 offset $size), 'infinity')) as until, form.recorded_until
     from form
   ), counted as (
     insert into submission_quarters (tenant_id, form_id, starts_at, counted, submissions)
     select $tenantId, $formId, c.starts_at, c.counted, sum(c.n)
     from next cross join lateral (
       select ${startOf('s.created_at')} as starts_at, s.collection_status as counted, count(*) as n
       from submissions s
       where ${ofForm('s')} and s.deleted_at is null and ${isWithin('s.created_at', 'next.since', 'next.until')}
       group by 1, 2
       union all
       select ${startOf('s.completed_at')}, 'completed', count(*) from submissions s
       where ${ofForm('s')} and s.deleted_at is null and ${isWithin('s.completed_at', 'next.since', 'next.until')}
         and ${ms('s.completed_at')} is not null
       group by 1
       union all
       select x.starts_at, x.counted, -x.change from submission_quarter_changes x
       where ${ofForm('x')} and x.starts_at >= next.since and x.starts_at < next.until
     ) c
     group by c.starts_at, c.counted having sum(c.n) <> 0
   ), advanced as (
     update submission_quarter_forms f set counted_until = next.until from next where ${ofForm('f')}
   )
   select until < recorded_until as "isMore" from next`,
);

/** Adds recorded changes to their quarters. Returns how many. The form must be locked by `lockCounted`. */
export const addQuarterChanges = statement<FormKey & { limit: number }, { added: number }>(
  'quarters_add_changes',
  `with form as materialized (
     select * from submission_quarter_forms f where ${ofForm('f')}
   ), added as (
     delete from submission_quarter_changes x where ctid = any (array(
       select x.ctid from submission_quarter_changes x, form
       where ${ofForm('x')} and x.starts_at < form.counted_until limit $limit)) and ${ofForm('x')}
     returning x.starts_at, x.counted, x.change
   ), changed as (
     insert into submission_quarters as q (tenant_id, form_id, starts_at, counted, submissions)
     select $tenantId, $formId, starts_at, counted, sum(change) from added group by starts_at, counted
     on conflict (tenant_id, form_id, starts_at, counted) do update set submissions = q.submissions + excluded.submissions
   )
   select count(*)::integer as added from added`,
);

/** Forms with recorded changes that can be added. */
export const findChangedQuarters = statement<void, FormKey>(
  'quarters_find_changed',
  `select f.tenant_id as "tenantId", f.form_id as "formId" from submission_quarter_forms f
   where exists (select from submission_quarter_changes x where x.tenant_id = f.tenant_id and x.form_id = f.form_id)`,
);

/** Forms of a tenant with more than so many submissions. */
export const findLargeForms = statement<{ tenantId: string; size: number }, FormKey>(
  'quarters_find_large_forms',
  `select f.tenant_id as "tenantId", f.id as "formId" from forms f
   where f.tenant_id = $tenantId and f.deleted_at is null and exists (
     select from submissions s where s.tenant_id = f.tenant_id and s.form_id = f.id and s.deleted_at is null
     order by s.id offset $size)`,
);

/**
 * Parts of a range of a form: its quarters from `first` until `next`, and its submissions from the start
 * until `first` and from `next` until the end.
 *
 * @param form columns `tenant_id` and `form_id` of the form, qualified
 * @returns a lateral subquery with one row
 */
export const partsOf = (form: string, from: string, to: string) => `(
  select bound.first, greatest(bound.first, least(${startOf(to)}, coalesce((
    select q.counted_until from submission_quarter_forms q
    where q.tenant_id = ${form}.tenant_id and q.form_id = ${form}.form_id), '-infinity'))) as next
  from (select least(${to}, ${startOf(`${from} + ${quarter} - interval '1 microsecond'`)}) as first) bound)`;

/** Quarters of the form `form` with what is recorded about them: `starts_at`, `counted`, `n`. */
export const quartersOf = (form: string, first: string, next: string) => `(
  select starts_at, counted, sum(n) as n from (
    select q.starts_at, q.counted, q.submissions as n from submission_quarters q
    where q.tenant_id = ${form}.tenant_id and q.form_id = ${form}.form_id and q.starts_at >= ${first} and q.starts_at < ${next}
    union all
    select x.starts_at, x.counted, x.change from submission_quarter_changes x
    where x.tenant_id = ${form}.tenant_id and x.form_id = ${form}.form_id and x.starts_at >= ${first} and x.starts_at < ${next}
  ) q group by starts_at, counted)`;
