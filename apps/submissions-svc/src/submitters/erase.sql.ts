import { insertAuditSql } from '@canvass/audit';
import type { SettingsRef } from '@canvass/contracts';
import { statement } from '@canvass/postgres';
import { submitterVersion } from './submitters.sql';

/** Concurrent creates of this respondent wait, and then find no such respondent. */
export const lockSubmitter = statement<{ tenantId: string; submitterId: string }, { version: string }>(
  'submitters_lock',
  `select ${submitterVersion} from submitters s where s.tenant_id = $tenantId and s.id = $submitterId for update`,
);

/** The next submissions of the respondent, deleted ones, too. Blocks saves. */
export const lockSubmissions = statement<
  { tenantId: string; submitterId: string; limit: number },
  { id: string }
>(
  'submitters_lock_submissions',
  `select id from submissions where tenant_id = $tenantId and submitter_id = $submitterId
   order by id limit $limit for no key update`,
);

/** Submissions of the respondent, deleted ones, too. */
export const countSubmissions = statement<{ tenantId: string; submitterId: string }, { total: number }>(
  'submitters_count_submissions',
  `select count(*)::float8 as total from submissions where tenant_id = $tenantId and submitter_id = $submitterId`,
);

/** Deletes the respondent from files of invitations whose job has not reached that line. */
export const deleteInvited = statement<{
  tenantId: string;
  submitterId: string;
  integrationProvider: string;
}>(
  'submitters_delete_invited',
  `delete from invited_people p using submitters s
   where s.tenant_id = $tenantId and s.id = $submitterId and p.tenant_id = s.tenant_id
     and p.person::json #>> '{submitter,externalSubjectId}' = s.external_subject_id
     and coalesce(p.person::json #>> '{submitter,authProvider}', $integrationProvider) = s.auth_provider`,
);

export const deleteSubmitter = statement<{ tenantId: string; submitterId: string }>(
  'submitters_delete',
  `delete from submitters where tenant_id = $tenantId and id = $submitterId`,
);

/** Records the erasure of the respondent in the audit trail. */
export const recordErasure = statement<{ tenantId: string; submitterId: string; audit: string }>(
  'submitters_record_erasure',
  insertAuditSql({ tenantId: '$tenantId::bigint', objectId: '$submitterId::text' }),
);

/** The webhook settings of the tenant; null without any. */
export const tenantSettingsInForce = statement<{ tenantId: string }, { settings: SettingsRef | null }>(
  'submitters_tenant_settings',
  `select case when t.webhook_settings_version is not null
     then json_build_object('scope', 'tenant', 'scopeId', t.tenant_id::text, 'version', t.webhook_settings_version::text)
     end as settings
   from tenant_settings t where t.tenant_id = $tenantId`,
);

/**
 * $1 tenant, $2 submitter. Returns each submission as JSON text, with the name of its form and its deletion
 * time; deleted ones, too.
 */
export const submissionsOfSubmitter = `
  select (to_jsonb(f.name))::text, to_json(api_time(s.deleted_at))::text, submission_json(s)::text
  from submissions s join forms f on f.tenant_id = s.tenant_id and f.id = s.form_id
  where s.tenant_id = $1 and s.submitter_id = $2 order by s.id`;

/** $1 tenant, $2 submitter. Returns each former version of the answers as JSON text. */
export const versionsOfSubmitter = `
  select json_build_object('submissionId', s.id::text, 'revision', v.revision::text, 'jsonData', v.json_data,
    'metadata', v.metadata, 'savedAt', api_time(v.saved_at), 'replacedAt', api_time(v.replaced_at))::text
  from submissions s join submission_versions v on v.tenant_id = s.tenant_id and v.submission_id = s.id
  where s.tenant_id = $1 and s.submitter_id = $2 order by s.id, v.revision`;
