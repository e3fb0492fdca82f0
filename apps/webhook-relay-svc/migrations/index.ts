import { outboxMigration } from '@canvass/outbox';
import { idempotencyMigration, nextIdMigration, type Migration } from '@canvass/postgres';
import { settings } from './20261120T1201_settings';
import { deliveries } from './20261120T1202_deliveries';
import { recoveries } from './20261121T0330_recoveries';
import { runningLeases } from './20261121T0412_running_leases';
import { endpointHealth } from './20261121T0415_endpoint_health';
import { leaseWindows } from './20261121T0606_lease_windows';
import { logByDays } from './20261121T0630_log_by_days';
import { rateLimit } from './20261121T0640_rate_limit';
import { limitedEndpoints } from './20261121T0641_limited_endpoints';
import { endpointEvents } from './20261121T0800_endpoint_events';

/** Bits 18–21 of this service's ids, so that ids of different services never meet. */
const origin = 4;

/** All migrations of the schema `webhooks`, in order. */
export const migrations: readonly Migration[] = [
  nextIdMigration('20261120T1200_next_id', origin),
  settings,
  deliveries,
  recoveries,
  idempotencyMigration('20261121T0331_idempotency'),
  runningLeases,
  endpointHealth,
  leaseWindows,
  logByDays,
  rateLimit,
  limitedEndpoints,
  outboxMigration('20261121T0759_outbox'),
  endpointEvents,
];
