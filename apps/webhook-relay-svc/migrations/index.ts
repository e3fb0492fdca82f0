import {
  auditFiltersMigration,
  auditClientRequestMigration,
  auditGuardMigration,
  auditInsertGuardMigration,
  auditMigration,
} from '@canvass/audit';
import { healthLogMigration } from '@canvass/health-log';
import { jobsMigration, jobStartersCheckMigration, jobStartersMigration } from '@canvass/jobs';
import { outboxLanesMigration, outboxMigration, outboxPublishedMigration } from '@canvass/outbox';
import {
  idempotencyEntityMigration,
  idempotencyMigration,
  nextIdGuardMigration,
  nextIdMigration,
  nextIdOrderMigration,
  type Migration,
} from '@canvass/postgres';
import { settings } from './20261122T0900_settings';
import { deliveries } from './20261122T0901_deliveries';
import { readyQueue } from './20261122T0902_ready_queue';
import { erasures } from './20261122T1102_erasures';
import { erasurePasses } from './20261122T1105_erasure_passes';
import { recoveries } from './20261122T0903_recoveries';
import { leaseByPlace } from './20261122T1600_lease_by_place';
import { failedDeliveries } from './20261122T2320_failed_deliveries';
import { logDays } from './20261122T2210_log_days';
import { attemptStats } from './20261123T0100_attempt_stats';
import { attemptStatsByTime } from './20261123T0101_attempt_stats_by_time';
import { recoveryItems } from './20261123T0201_recovery_items';
import { liveEvents } from './20261123T0300_live_events';
import { endpointsOfScope } from './20261123T0900_endpoints_of_scope';
import { deliveryCounts } from './20261126T1000_delivery_counts';
import { logIndexes } from './20261126T1001_log_indexes';
import { noDeliveryCounts } from './20261128T0600_no_delivery_counts';

/** Bits 18–21 of this service's ids, so that ids of different services never meet. */
const origin = 4;

/** All migrations of the schema `webhooks`, in order. */
export const migrations: readonly Migration[] = [
  nextIdMigration('20261120T1200_next_id', origin),
  idempotencyMigration('20261121T0331_idempotency'),
  outboxMigration('20261121T0759_outbox'),
  settings,
  deliveries,
  readyQueue,
  recoveries,
  idempotencyEntityMigration('20261122T1100_idempotency_entity'),
  erasures,
  erasurePasses,
  outboxLanesMigration('20261122T1300_outbox_lanes'),
  nextIdGuardMigration('20261122T1310_next_id_guard', origin),
  auditMigration('20261122T1330_audit'),
  auditGuardMigration('20261122T1350_audit_guard'),
  leaseByPlace,
  logDays,
  outboxPublishedMigration('20261122T2310_outbox_published'),
  failedDeliveries,
  nextIdOrderMigration('20261122T2350_next_id_order', origin),
  attemptStats,
  attemptStatsByTime,
  healthLogMigration('20261123T0110_health_log'),
  jobsMigration('20261123T0200_jobs'),
  recoveryItems,
  liveEvents,
  endpointsOfScope,
  auditFiltersMigration('20261124T0930_audit_filters'),
  deliveryCounts,
  logIndexes,
  jobStartersMigration('20261128T0211_job_starters'),
  jobStartersCheckMigration('20261128T0231_job_starters_check'),
  auditInsertGuardMigration('20261128T0400_audit_insert_guard'),
  auditClientRequestMigration('20261128T0401_audit_client_request'),
  noDeliveryCounts,
];
