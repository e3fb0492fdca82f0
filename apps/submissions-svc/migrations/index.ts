import {
  auditFiltersMigration,
  auditClientRequestMigration,
  auditGuardMigration,
  auditInsertGuardMigration,
  auditMigration,
} from '@canvass/audit';
import { healthLogMigration } from '@canvass/health-log';
import { jobsMigration, jobStartersCheckMigration, jobStartersMigration } from '@canvass/jobs';
import {
  idempotencyEntityMigration,
  idempotencyMigration,
  nextIdGuardMigration,
  nextIdMigration,
  nextIdOrderMigration,
  type Migration,
} from '@canvass/postgres';
import { quotaMigration } from '@canvass/quotas';
import { outboxLanesMigration, outboxMigration, outboxPublishedMigration } from '@canvass/outbox';
import { apiShapes } from './20261120T1205_api_shapes';
import { backfillProgress } from './20261121T0200_backfill_progress';
import { ownUsers } from './20261122T0910_own_users';
import { startByRespondent } from './20261122T0900_start_by_respondent';
import { createdBy } from './20261122T1240_created_by';
import { forms } from './20261120T1202_forms';
import { answerValues } from './20261122T2240_answer_values';
import { exportEvents } from './20261123T0510_export_events';
import { exportParts } from './20261123T0410_export_parts';
import { deletedSubmissions } from './20261123T0420_deleted_submissions';
import { submissionCounts } from './20261126T0600_submission_counts';
import { idsWithoutTimes } from './20261126T1010_ids_without_times';
import { submitterCounts } from './20261126T1020_submitter_counts';
import { submissionQuarters } from './20261126T1030_submission_quarters';
import { noStoredCounts } from './20261128T0600_no_stored_counts';
import { noTimesInIds } from './20261128T0601_no_times_in_ids';
import { listIndexes } from './20261122T2320_list_indexes';
import { formAccessKeys } from './20261120T1207_form_access_keys';
import { submissionVersions } from './20261121T0100_submission_versions';
import { submissions } from './20261120T1204_submissions';
import { savedBy } from './20261122T1340_saved_by';
import { submitters } from './20261120T1203_submitters';
import { formVersions } from './20261123T0105_form_versions';
import { formRetention } from './20261122T1103_form_retention';
import { retentionChanges } from './20261128T0200_retention_changes';
import { retentionIndexes } from './20261122T1104_retention_indexes';
import { erasedTexts } from './20261128T0225_erased_texts';
import { tokenHolders } from './20261128T0220_token_holders';
import { tokenUse } from './20261122T1101_token_use';
import { usedChallenges } from './20261122T2110_used_challenges';
import { uses } from './20261122T2101_uses';
import { webhookSettingsVersions } from './20261120T1206_webhook_settings_versions';

/** Bits 18–21 of the ids of this service, so that ids of two services never collide. */
const origin = 2;

/**
 * The large tables, which an operator may partition by tenant (decision 0034). Each comes after those that it
 * references.
 */
export const tablesByTenant = ['submitters', 'submissions', 'submission_versions'] as const;

/** All migrations of the schema `submissions`, in order. */
export const migrations: readonly Migration[] = [
  nextIdMigration('20261120T1200_next_id', origin),
  outboxMigration('20261120T1201_outbox'),
  forms,
  submitters,
  submissions,
  apiShapes,
  webhookSettingsVersions,
  formAccessKeys,
  submissionVersions,
  idempotencyMigration('20261121T0101_idempotency_keys'),
  backfillProgress,
  startByRespondent,
  ownUsers,
  idempotencyEntityMigration('20261122T1100_idempotency_entity'),
  tokenUse,
  formRetention,
  retentionIndexes,
  createdBy,
  outboxLanesMigration('20261122T1300_outbox_lanes'),
  nextIdGuardMigration('20261122T1310_next_id_guard', origin),
  auditMigration('20261122T1330_audit'),
  savedBy,
  auditGuardMigration('20261122T1350_audit_guard'),
  quotaMigration('20261122T2100_quotas'),
  uses,
  usedChallenges,
  answerValues,
  outboxPublishedMigration('20261122T2310_outbox_published'),
  listIndexes,
  nextIdOrderMigration('20261122T2350_next_id_order', origin),
  formVersions,
  healthLogMigration('20261123T0110_health_log'),
  jobsMigration('20261123T0400_jobs'),
  exportParts,
  deletedSubmissions,
  exportEvents,
  auditFiltersMigration('20261124T0930_audit_filters'),
  submissionCounts,
  idsWithoutTimes,
  submitterCounts,
  submissionQuarters,
  retentionChanges,
  jobStartersMigration('20261128T0210_job_starters'),
  tokenHolders,
  erasedTexts,
  jobStartersCheckMigration('20261128T0230_job_starters_check'),
  auditInsertGuardMigration('20261128T0400_audit_insert_guard'),
  auditClientRequestMigration('20261128T0401_audit_client_request'),
  noStoredCounts,
  noTimesInIds,
];
