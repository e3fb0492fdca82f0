import { statement } from '@canvass/postgres';
import { cells, cellsOfPhase, tally } from './cells.sql';

export interface StatsFilter {
  tenantId: string;
  endpointId: string | null;
  eventName: string | null;
  formId: string | null;
}

export type StatsParams = StatsFilter & { bucket: string; seconds: number; from: Date; to: Date };

/** One bucket; without `start` the whole range. */
export interface StatsRow {
  start: Date | null;
  delivered: number;
  dead: number;
  /** Attempts by outcome. */
  outcomes: Record<string, number>;
  /** Number of the phase from 1, and the cells of its 50th, 95th and 99th percentile. */
  percentiles: [phase: number, p50: number, p95: number, p99: number][] | null;
}

const isChosen = (alias: string) => `
    ($endpointId::bigint is null or ${alias}.endpoint_id = $endpointId)
    and ($eventName::text is null or ${alias}.event_name = $eventName)
    and ($formId::bigint is null or ${alias}.form_id = $formId)`;

/**
 * Attempts in a range by bucket, outcome and cell: those of the statistics, and those that they do not count
 * yet. Both are of one snapshot, so no attempt is missing and none counts twice. The statistics are read by
 * endpoint, because their key begins with it.
 */
export const matching = `
  select s.starts_at as start, s.endpoint_id, s.outcome, u.cell, u.n
  from endpoints e
  join attempt_stats s on s.tenant_id = e.tenant_id and s.endpoint_id = e.id
  cross join lateral unnest(s.cells, s.counts) u (cell, n)
  where e.tenant_id = $tenantId and s.tenant_id = $tenantId and s.grain = $bucket
    and s.starts_at >= $from::timestamptz and s.starts_at < $to::timestamptz and ${isChosen('s')}
  union all
  select date_bin($seconds::float8 * interval '1 second', r.starts_at, $from::timestamptz),
         r.endpoint_id, r.outcome, r.cell, r.n
  from (${tally(`(
    select * from recent_attempts x
    where x.tenant_id = $tenantId and x.started_at >= $from::timestamptz and x.started_at < $to::timestamptz
      and ${isChosen('x')})`)}) r`;

export const numberOf = (cell: number) => `coalesce(sum(n) filter (where cell = ${cell}), 0)::float8`;
export const counted = `${numberOf(cells.delivered)} as delivered, ${numberOf(cells.dead)} as dead`;

/** First cell of the fraction `p` of its phase, by rank. */
const cellAt = (p: number) => `min(cell) filter (where up_to >= ceil(${p} * of_phase))`;

/** Buckets with attempts, and the whole range if it has any. */
export const findStats = statement<StatsParams, StatsRow>(
  'attempt_stats',
  `with summed as (
     select start, outcome, cell, sum(n) as n from (${matching}) m group by start, outcome, cell
   ), by_outcome as (
     select start, outcome, ${numberOf(cells.attempts)} as attempts, ${counted}
     from summed where cell < ${cellsOfPhase} group by grouping sets ((start, outcome), (outcome))
   ), by_cell as (
     select start, cell / ${cellsOfPhase} as phase, cell, sum(n) as n
     from summed where cell >= ${cellsOfPhase} group by grouping sets ((start, cell), (cell))
   ), ranked as (
     select start, phase, cell, sum(n) over (partition by start, phase order by cell) as up_to,
            sum(n) over (partition by start, phase) as of_phase
     from by_cell
   ), by_phase as (
     select start, json_build_array(phase, ${[0.5, 0.95, 0.99].map(cellAt).join(', ')}) as found
     from ranked group by start, phase
   )
   select o.start, o.delivered, o.dead, o.outcomes, p.percentiles
   from (select start, sum(delivered) as delivered, sum(dead) as dead, json_object_agg(outcome, attempts) as outcomes
         from by_outcome group by start) o
   left join (select start, json_agg(found) as percentiles from by_phase group by start) p
     on coalesce(p.start, 'infinity') = coalesce(o.start, 'infinity')`,
);
