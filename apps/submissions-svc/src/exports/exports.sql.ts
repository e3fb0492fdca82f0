import { statement } from '@canvass/postgres';

export const insertPart = statement<{
  tenantId: string;
  jobId: string;
  part: number;
  bytes: number;
  content: Buffer;
}>(
  'exports_insert_part',
  `insert into export_parts (tenant_id, job_id, part, bytes, content)
   values ($tenantId, $jobId, $part, $bytes, $content::bytea)`,
);

export const readPart = statement<{ tenantId: string; jobId: string; part: number }, { content: Buffer }>(
  'exports_read_part',
  `select content from export_parts where tenant_id = $tenantId and job_id = $jobId and part = $part`,
);

/** The stored bytes of a tenant. */
export const countBytes = statement<{ tenantId: string }, { used: string }>(
  'exports_count_bytes',
  `select coalesce(sum(bytes), 0) as used from export_parts where tenant_id = $tenantId`,
);

/** Parts of exports that expired, failed, were cancelled or are no longer listed. */
export const deleteUnusedParts = statement<{ rows: number }, { part: number }>(
  'exports_delete_unused_parts',
  `delete from export_parts where (tenant_id, job_id, part) in (
     select p.tenant_id, p.job_id, p.part
     from export_parts p left join jobs j on j.tenant_id = p.tenant_id and j.id = p.job_id
     where j.id is null or j.state in ('failed', 'cancelled')
       or (j.state = 'done' and (j.result->>'expiresAt')::timestamptz < now())
     limit $rows)
   returning part`,
);

/** People of invitations that ended before their turn. */
export const deleteLeftPeople = statement<{ rows: number }, { position: number }>(
  'exports_delete_left_people',
  `delete from invited_people where (tenant_id, job_id, position) in (
     select p.tenant_id, p.job_id, p.position
     from invited_people p left join jobs j on j.tenant_id = p.tenant_id and j.id = p.job_id
     where j.id is null or j.state <> 'running'
     limit $rows)
   returning position`,
);
