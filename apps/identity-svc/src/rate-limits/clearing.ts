import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { clearBudgets } from './rate-budgets.sql';

const everyMs = 60_000;

/** Removes budgets of past windows once a minute in each copy. Answers the function that ends it. */
export function startClearing(db: Database, logger: Logger): () => void {
  const timer = setInterval(() => {
    clearBudgets(db).catch((error: unknown) =>
      logger.warn({ error }, 'ended rate budgets could not be removed; next try in a minute'),
    );
  }, everyMs).unref();
  return () => clearInterval(timer);
}
