import type { Scenario } from '../scenario';
import { backfill } from './backfill';
import { completeToDelivered } from './complete-to-delivered';
import { createSubmission } from './create-submission';
import { exportScenario } from './export';
import { fanOut, fanOutByJobs, fanOutByTwo } from './fan-out';
import { gateway } from './gateway';
import { gatewayDelay } from './gateway-delay';
import { importScenario } from './import';
import { outboxDrain } from './outbox-drain';
import { search } from './search';

/** In the order of `all`. */
export const scenarios: readonly Scenario[] = [
  createSubmission,
  completeToDelivered,
  outboxDrain,
  fanOut,
  fanOutByTwo,
  fanOutByJobs,
  gateway,
  gatewayDelay,
  exportScenario,
  importScenario,
  backfill,
  search,
];
