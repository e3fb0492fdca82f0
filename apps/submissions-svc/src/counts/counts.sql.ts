import { advisoryLocks, statement } from '@canvass/postgres';

interface Form {
  tenantId: string;
  formId: string;
}

const ofForm = 'tenant_id = $tenantId and form_id = $formId';

export interface CountRow {
  total: string;
  /** Of them after the last range. */
  rest: string;
  /** Recorded changes that no range counts yet. */
  changes: string;
}

/** Counts the submissions of a form that are not deleted, exactly. Reads those after the last range only. */
export const countOfForm = statement<Form, CountRow>(
  'counts_of_form',
  `with ranges as materialized (
     select coalesce(sum(submissions), 0) as submissions, coalesce(max(until_id), 0) as until_id
     from submission_counts where ${ofForm}
   ), changes as materialized (
     select coalesce(sum(change), 0) as change, count(*) as recorded from submission_count_changes where ${ofForm}
   ), rest as materialized (
     select count(*) as submissions from submissions
     where ${ofForm} and deleted_at is null and id >= (select until_id from ranges)
   )
   select (ranges.submissions + changes.change + rest.submissions)::bigint as total, rest.submissions as rest,
     changes.recorded as changes
   from ranges, changes, rest`,
);

const ofOuter = (table: string, form: string) =>
  `${table}.tenant_id = ${form}.tenant_id and ${table}.form_id = ${form}.id`;

/** SQL of the same count for the form `form` of a statement, as a `bigint`. */
export const countSql = (form: string): string => `(
  coalesce((select sum(c.submissions) from submission_counts c where ${ofOuter('c', form)}), 0)
  + coalesce((select sum(x.change) from submission_count_changes x where ${ofOuter('x', form)}), 0)
  + (select count(*) from submissions s where ${ofOuter('s', form)} and s.deleted_at is null
       and s.id >= coalesce((select max(c.until_id) from submission_counts c where ${ofOuter('c', form)}), 0))
  )::bigint`;

/** A count, and where a page begins: `offset - skipped` submissions after the bound, in its direction. */
export type PageRow = CountRow & { bound: string | null; skipped: string | null };

/**
 * Counts the submissions of a form and finds the range in which a page by number begins. One statement, since
 * ranges may be added between two.
 *
 * @param bounds ends of the ranges in the direction of the list, as SQL
 */
const pageOfForm = (direction: 'asc' | 'desc', bounds: string) =>
  statement<Form & { offset: number }, PageRow>(
    `counts_page_${direction}`,
    `with ranges as materialized (
       select c.from_id, c.until_id, c.submissions + coalesce(x.change, 0) as submissions
       from submission_counts c
       left join lateral (
         select sum(change) as change from submission_count_changes x
         where x.tenant_id = c.tenant_id and x.form_id = c.form_id
           and x.submission_id >= c.from_id and x.submission_id < c.until_id
       ) x on true
       where c.tenant_id = $tenantId and c.form_id = $formId
     ), rest as materialized (
       select count(*) as submissions from submissions
       where ${ofForm} and deleted_at is null and id >= coalesce((select max(until_id) from ranges), 0)
     ), start as (
       select bound, skipped from (
         select bound, sum(submissions) over (order by bound ${direction}) as skipped from (${bounds}) b) s
       where skipped <= $offset order by skipped desc, bound ${direction === 'asc' ? 'desc' : 'asc'} limit 1
     )
     select ((select coalesce(sum(submissions), 0) from ranges) + rest.submissions)::bigint as total,
       rest.submissions as rest, (select count(*) from submission_count_changes where ${ofForm}) as changes,
       start.bound, start.skipped::bigint as skipped
     from rest left join start on true`,
  );

/** Without a bound the page begins at the start of the list, else with the ids from the bound on. */
export const pageAscending = pageOfForm('asc', 'select until_id as bound, submissions from ranges');

/** Without a bound the page begins at the start of the list, else with the ids below the bound. */
export const pageDescending = pageOfForm(
  'desc',
  `select from_id as bound, submissions from ranges
   union all select max(until_id), (select submissions from rest) from ranges having count(*) > 0`,
);

/** Orders a count with changes of the form until the transaction ends. No process waits to count. */
export const tryLockForm = statement<{ formId: string }, { acquired: boolean }>(
  'counts_try_lock_form',
  `select pg_try_advisory_xact_lock(${advisoryLocks.submissionCounts}, hashint8($formId::bigint)) as acquired`,
);

/** Adds recorded changes to their ranges. Returns how many it added. The form must be locked. */
export const addChanges = statement<Form & { limit: number }, { added: number }>(
  'counts_add_changes',
  `with added as (
     delete from submission_count_changes where ctid = any (array(
       select ctid from submission_count_changes where ${ofForm} limit $limit)) and ${ofForm}
     returning submission_id, change
   ), sums as (
     select c.from_id, sum(a.change) as change from added a
     cross join lateral (
       select from_id from submission_counts where ${ofForm} and from_id <= a.submission_id order by from_id desc limit 1) c
     group by c.from_id
   ), changed as (
     update submission_counts c set submissions = c.submissions + sums.change
     from sums where c.${ofForm.replace(' and ', ' and c.')} and c.from_id = sums.from_id
   )
   select count(*)::integer as added from added`,
);

/**
 * Counts the next range of a form, if it has so many submissions that are old enough. Returns whether it did.
 * The form must be locked.
 *
 * @param youngestMs age in milliseconds; an id has the time of its creation
 */
export const addRange = statement<Form & { size: number; youngestMs: number }, object>(
  'counts_add_range',
  `with next as materialized (
     select id from submissions
     where ${ofForm} and deleted_at is null
       and id < ((extract(epoch from clock_timestamp()) * 1000)::bigint - 1767225600000 - $youngestMs::bigint) << 22
       and id >= (select coalesce(max(until_id), 0) from submission_counts where ${ofForm})
     order by id limit $size + 1
   )
   insert into submission_counts (tenant_id, form_id, from_id, until_id, submissions)
   select $tenantId, $formId, (select coalesce(max(until_id), 0) from submission_counts where ${ofForm}), max(id), $size
   from next having count(*) = $size + 1
   returning 1`,
);

/** Forms with recorded changes. */
export const findChanged = statement<void, Form>(
  'counts_find_changed',
  `select distinct tenant_id as "tenantId", form_id as "formId" from submission_count_changes`,
);
