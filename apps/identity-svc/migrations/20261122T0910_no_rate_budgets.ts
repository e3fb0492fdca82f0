import type { Migration } from '@canvass/postgres';
import { rateBudgets } from './20261121T0740_rate_budgets';

/** Gateways count rate limits themselves, or together in Redis (ADR 0023). */
export const noRateBudgets: Migration = {
  name: '20261122T0910_no_rate_budgets',
  up: rateBudgets.down,
  down: rateBudgets.up,
};
