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
        await db.ping();
        return { status: 'Healthy', description: null, data: data() };
      } catch (error) {
        if (db.pool.waitingCount > 0 && db.pool.idleCount === 0 && connectionFault(error)) {
          return { status: 'Degraded', description: 'All database connections are in use.', data: data() };
        }
        return { status: 'Unhealthy', description: 'The database does not answer.', data: data() };
      }
    },
  };
}
