import { statement } from '@canvass/postgres';

export const shownStates = ['enabled', 'failing', 'paused', 'disabled'] as const;

/** Never with a secret. */
interface OperatedEndpointRow {
  tenantId: string;
  endpointId: string;
  state: (typeof shownStates)[number];
  /** The reason why it is disabled: `gone`, `failing`, `manual`. */
  reason: string | null;
  failures: number;
  failingSince: Date | null;
  pausedUntil: Date | null;
  /** Deliveries that are not final, counted up to 10,000. */
  waiting: number;
  url: string;
}

interface Chosen {
  tenantId: string | undefined;
  id: string | undefined;
  state: string | undefined;
  limit: string;
}

/** Lists those in trouble first, the longest first. Whatever is paused fails. */
export const listOperatedEndpoints = statement<Chosen, OperatedEndpointRow>(
  'list_operated_endpoints',
  `select "tenantId", "endpointId", state, reason, failures, "failingSince", "pausedUntil", (
     select count(*) from (
       select from waiting w
       where w.tenant_id = shown."tenantId" and w.endpoint_id = shown."endpointId" and w.lease is null
       order by w.tenant_id, w.endpoint_id, w.due_at limit 10000) as counted)::int + in_flight as waiting, url
   from (
     select tenant_id as "tenantId", id as "endpointId",
            case when disabled_at is not null then 'disabled'
                 when resume_at > now() then 'paused'
                 when failing_since is not null then 'failing'
                 else 'enabled' end as state,
            in_flight, disabled_reason as reason, failures, failing_since as "failingSince",
            case when resume_at > now() then resume_at end as "pausedUntil",
            regexp_replace(url, '[?#].*$', '?…') as url
     from endpoints
     where removed_at is null and ($tenantId::bigint is null or tenant_id = $tenantId) and ($id::bigint is null or id = $id)
   ) shown
   where $state::text is null or state = $state or ($state = 'failing' and state = 'paused')
   order by "failingSince" nulls last, "tenantId", "endpointId" limit $limit`,
);
