import { statement } from '@canvass/postgres';
import { canonicalRow } from './chain';

export interface DayRow {
  tenantId: string;
  day: string;
  sealedRows: string;
  hash: Buffer;
  previous: Buffer;
  isDropped: boolean;
  /** Last hash of the day before; null for the first day of the tenant. */
  hashBefore: Buffer | null;
}

/** All days of the range, by tenant and day. */
export const findDays = statement<
  { tenantId: string | null; from: string | null; to: string | null },
  DayRow
>(
  'audit_find_days',
  `select * from (
     select tenant_id as "tenantId", day, sealed_rows as "sealedRows", hash, previous,
       dropped_at is not null as "isDropped",
       lag(hash) over (partition by tenant_id order by day) as "hashBefore"
     from audit_days where $tenantId::bigint is null or tenant_id = $tenantId::bigint) d
   where ($from::date is null or d.day >= $from::date) and ($to::date is null or d.day <= $to::date)
   order by d."tenantId", d.day`,
);

/** The next rows of a day in the order of the chain. */
export const findSealedRows = statement<
  { tenantId: string; day: string; after: string; limit: number },
  { id: string; sequence: string; hash: Buffer; text: string }
>(
  'audit_find_sealed_rows',
  `select a.id, a.sequence, a.hash, ${canonicalRow} as text from audit a
   where a.tenant_id = $tenantId and a.day = $day and a.sequence > $after and a.hash is not null
   order by a.sequence limit $limit`,
);

/** Days that have rows but no chain. */
export const findRowsWithoutDay = statement<{ tenantId: string | null }, { tenantId: string; day: string }>(
  'audit_find_rows_without_day',
  `select distinct a.tenant_id as "tenantId", a.day from audit a
   where a.hash is not null and ($tenantId::bigint is null or a.tenant_id = $tenantId::bigint)
     and not exists (select from audit_days d where d.tenant_id = a.tenant_id and d.day = a.day)
   order by 1, 2`,
);

/** Rows that should have been sealed long ago. */
export const countOverdue = statement<void, { overdue: string }>(
  'audit_count_overdue',
  `select count(*) as overdue from audit where hash is null and occurred_at < now() - interval '5 minutes'`,
);
