import { statement } from '@canvass/postgres';
import { partsOf, quartersOf } from '../counts';
import { filterFields } from './filter-fields';

/** Submissions of one bucket. */
export interface OverviewCounts {
  started: number;
  completed: number;
  screenedOut: number;
}

export type OverviewRow = { start: Date } & OverviewCounts & {
    /** Submissions of the bucket that were read one by one. */
    read: number;
  };

interface OverviewParams {
  tenantId: string;
  from: Date;
  to: Date;
  seconds: number;
}

const bucketOf = (time: string) =>
  `date_bin($seconds::float8 * interval '1 second', ${time}, $from::timestamptz)`;

/**
 * The submissions `s` that are read one by one, by a time of theirs. `offset 0` keeps Postgres from
 * reading all submissions of the tenant instead: the index of the time has few of each form.
 */
const readBy = (field: string, columns: string) => {
  const { column } = filterFields[field]!;
  return `
       from parts p cross join lateral (values ($from::timestamptz, p.first), (p.next, $to::timestamptz)) part (since, until)
       cross join lateral (
         select ${columns} from submissions s
         where s.tenant_id = $tenantId and s.form_id = p.form_id and s.deleted_at is null
           and ${column} >= part.since at time zone 'UTC' and ${column} < part.until at time zone 'UTC'
           and ${column} is not null
         offset 0) s
       where part.since < part.until group by 1`;
};

const byBucket = (name: string, hasQuarters: boolean) =>
  statement<OverviewParams, OverviewRow>(
    name,
    `with parts as materialized (
       select f.*, parts.first, parts.next
       from (
         select tenant_id, id as form_id from forms where tenant_id = $tenantId and deleted_at is null
       ) f
       cross join lateral ${
         hasQuarters
           ? partsOf('f', '$from::timestamptz', '$to::timestamptz')
           : '(select $from::timestamptz as first, $from::timestamptz as next)'
       } parts
     ), counted as (
       select ${bucketOf('s.created_at')} as start, count(*) as started, 0 as completed,
         count(*) filter (where s.collection_status = 'screen_out') as screened_out, count(*) as read
       ${readBy('createdAt', 's.created_at, s.collection_status')}
       union all
       select ${bucketOf('s.completed_at')}, 0, count(*), 0, count(*)
       ${readBy('completedAt', 's.completed_at')}${
         hasQuarters
           ? `
       union all
       select ${bucketOf('q.starts_at')}, sum(q.n) filter (where q.counted <> 'completed'),
         sum(q.n) filter (where q.counted = 'completed'), sum(q.n) filter (where q.counted = 'screen_out'), 0
       from parts p cross join lateral ${quartersOf('p', 'p.first', 'p.next')} q
       where p.first < p.next group by 1`
           : ''
       }
     )
     select start, coalesce(sum(started), 0)::integer as started, coalesce(sum(completed), 0)::integer as completed,
       coalesce(sum(screened_out), 0)::integer as "screenedOut", sum(read)::integer as read
     from counted group by start`,
  );

/**
 * Submissions of all forms of a tenant by bucket; buckets without any have no row. Of each form, quarters
 * of an hour are read where they are counted, and submissions by the indexes of creations and completions
 * elsewhere. The buckets have whole quarters.
 */
export const countByBucket = byBucket('submissions_overview', true);

/** The same from submissions alone: for short buckets, and for a schema of the version before. */
export const countByBucketWithoutQuarters = byBucket('submissions_overview_alone', false);
