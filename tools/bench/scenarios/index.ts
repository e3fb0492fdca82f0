import type { Scenario } from '../scenario';
import { createSubmission } from './create-submission';
import { outboxDrain } from './outbox-drain';

/** In the order of `all`. */
export const scenarios: readonly Scenario[] = [createSubmission, outboxDrain];
