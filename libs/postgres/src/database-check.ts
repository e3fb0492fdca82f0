import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Database } from './database';
import { connectionFault } from './faults';

/** Shape of a health check as service-kit registers it. */
export interface DatabaseCheck {
  name: string;
  tags: string[];
  check(signal: AbortSignal): Promise<{
    status: 'Healthy' | 'Degraded' | 'Unhealthy';
    description: string | null;
    data: Record<string, unknown>;
  }>;
}

/** Both tries together end before the 800 ms that a health check has. */
const viaPoolMs = 300;
const pastPoolMs = 400;

/**
 * Whether the database answers. Unhealthy when it does not; only Degraded when all connections of this process are in
 * use, because taking a busy copy out of service makes the others busier.
 */
export function databaseCheck(db: Database, options: { name?: string; tags?: string[] } = {}): DatabaseCheck {
  return {
    name: options.name ?? 'database',
    tags: options.tags ?? ['db', 'ready'],
    async check() {
      const data = () => ({
        connections: db.pool.totalCount,
        idleConnections: db.pool.idleCount,
        waitingRequests: db.pool.waitingCount,
      });
      try {
        await db.ping(viaPoolMs);
        return { status: 'Healthy', description: null, data: data() };
      } catch (error) {
        const busy = db.pool.waitingCount > 0 && db.pool.idleCount === 0 && connectionFault(error);
        if (busy && (await answersPastPool(db))) {
          return { status: 'Degraded', description: 'All database connections are in use.', data: data() };
        }
        return { status: 'Unhealthy', description: 'The database does not answer.', data: data() };
      }
    },
  };
}

/** Asks on a connection of its own: a pool that is only busy looks like a server that has frozen. */
async function answersPastPool(db: Database): Promise<boolean> {
  const client = new pg.Client({ ...db.pool.options, connectionTimeoutMillis: pastPoolMs });
  client.on('error', () => undefined); // connect and query report it
  const asked = client.connect().then(() => client.query('select 1').then(() => true));
  try {
    return await Promise.race([asked, sleep(pastPoolMs, false)]);
  } catch {
    return false;
  } finally {
    asked.catch(() => undefined);
    void client.end().catch(() => undefined); // not awaited: a frozen server does not say goodbye
  }
}
