import { statement } from '@canvass/postgres';
import type { EndpointState } from '../endpoints';
import { stateOf } from './backlog.sql';
import { counted, matching, numberOf, type StatsParams } from './stats.sql';
import { cells } from './cells.sql';

/** An endpoint that needs attention. */
export interface EndpointTrouble {
  endpointId: string;
  url: string;
  state: EndpointState;
  failingSince: Date | null;
  pausedUntil: Date | null;
  /** Attempts in the period, and those without a 2xx response. */
  attempts: number;
  failed: number;
}

export interface OverviewRow {
  /** Null in rows of endpoints. */
  start: Date | null;
  attempts: number;
  failed: number;
  delivered: number;
  dead: number;
}

const failed = `coalesce(sum(n) filter (where cell = ${cells.attempts} and outcome <> 'success'), 0)::float8`;

/** Buckets with attempts. */
export const countAttempts = statement<StatsParams, OverviewRow>(
  'attempts_by_bucket',
  `select start, ${numberOf(cells.attempts)} as attempts, ${failed} as failed, ${counted}
   from (${matching}) m where cell < 3 group by start`,
);

/**
 * Endpoints in the settings that failed in the period, fail now, or were disabled because they did: those
 * disabled first, as nothing enables them but a user, then those that fail now, then by failed attempts. One
 * that a user disabled is not in trouble.
 */
export const findTrouble = statement<StatsParams & { max: number }, EndpointTrouble>(
  'endpoints_in_trouble',
  `with by_endpoint as (
     select endpoint_id, ${numberOf(cells.attempts)} as attempts, ${failed} as failed
     from (${matching}) m where cell = ${cells.attempts} group by endpoint_id
   )
   select e.id as "endpointId", e.url, ${stateOf} as state, e.failing_since as "failingSince",
     case when e.resume_at > now() then e.resume_at end as "pausedUntil",
     coalesce(b.attempts, 0) as attempts, coalesce(b.failed, 0) as failed
   from endpoints e left join by_endpoint b on b.endpoint_id = e.id
   where e.tenant_id = $tenantId and e.removed_at is null
     and e.disabled_reason is distinct from 'manual'
     and (e.disabled_at is not null or e.failing_since is not null or b.failed > 0)
   order by e.disabled_at is not null desc, e.failing_since is not null desc, coalesce(b.failed, 0) desc, e.id
   limit $max`,
);
