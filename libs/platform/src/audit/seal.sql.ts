import { advisoryLocks, statement } from '@canvass/postgres';
import { canonicalRow } from './chain';

/** Takes the lock until the end of the transaction. */
export const takeSealLock = statement<void, { taken: boolean }>(
  'audit_take_seal_lock',
  `select pg_try_advisory_xact_lock(${advisoryLocks.auditSeal}, hashtext(current_schema())) as taken`,
);

export const findUnsealed = statement<{ limit: number }, { tenantId: string; id: string; text: string }>(
  'audit_find_unsealed',
  `select a.tenant_id as "tenantId", a.id, ${canonicalRow} as text
   from audit a where a.hash is null order by a.tenant_id, a.id limit $limit`,
);

/** Seconds since the oldest row that no seal covers; 0 without such a row. */
export const findOldestUnsealed = statement<void, { seconds: number }>(
  'audit_find_oldest_unsealed',
  `select coalesce(extract(epoch from clock_timestamp() - min(occurred_at)), 0)::float8 as seconds
   from audit where hash is null`,
);

export interface ChainEnd {
  tenantId: string;
  /** Null if the tenant has no chain yet. */
  day: string | null;
  sealedRows: string;
  hash: Buffer;
  today: string;
}

/** The last day of each tenant. */
export const findChainEnds = statement<{ tenantIds: string[] }, ChainEnd>(
  'audit_find_chain_ends',
  `select t.id as "tenantId", d.day, d.sealed_rows as "sealedRows", d.hash, (now() at time zone 'UTC')::date as today
   from unnest($tenantIds::bigint[]) t(id) left join lateral (
     select day, sealed_rows, hash from audit_days where tenant_id = t.id order by day desc limit 1) d on true`,
);

export const sealRows = statement<{
  tenantIds: string[];
  ids: string[];
  days: string[];
  sequences: string[];
  hashes: Buffer[];
}>(
  'audit_seal_rows',
  `update audit a set day = s.day, sequence = s.sequence, hash = s.hash
   from unnest($tenantIds::bigint[], $ids::bigint[], $days::date[], $sequences::bigint[], $hashes::bytea[])
     s(tenant_id, id, day, sequence, hash)
   where a.tenant_id = s.tenant_id and a.id = s.id`,
);

export const saveDays = statement<{
  tenantIds: string[];
  days: string[];
  sealedRows: string[];
  hashes: Buffer[];
  previous: Buffer[];
}>(
  'audit_save_days',
  `insert into audit_days (tenant_id, day, sealed_rows, hash, previous)
   select * from unnest($tenantIds::bigint[], $days::date[], $sealedRows::bigint[], $hashes::bytea[], $previous::bytea[])
   on conflict (tenant_id, day) do update set sealed_rows = excluded.sealed_rows, hash = excluded.hash`,
);

/** Marks a day that may be dropped; the head of its chain stays. */
export const markExpiredDay = statement<{ keptDays: number }, { tenantId: string; day: string }>(
  'audit_mark_expired_day',
  `update audit_days d set dropped_at = now()
   where d.dropped_at is null and (d.tenant_id, d.day) = (
     select e.tenant_id, e.day from audit_days e
     where e.dropped_at is null and e.day < (now() at time zone 'UTC')::date - $keptDays::integer
     order by e.tenant_id, e.day limit 1)
   returning d.tenant_id as "tenantId", d.day`,
);

export const deleteDay = statement<{ tenantId: string; day: string }>(
  'audit_delete_day',
  `delete from audit where tenant_id = $tenantId and day = $day`,
);
