import { withTimeout } from '@canvass/async';
import pg from 'pg';
import type { Database } from './database';
import { connectionFault, ReadOnlyServer } from './faults';
import { waitingForShare } from './shares';

/** The shape of a health check that service-kit registers. */
export interface DatabaseCheck {
  name: string;
  tags: string[];
  check(signal: AbortSignal): Promise<{
    status: 'Healthy' | 'Degraded' | 'Unhealthy';
    description: string | null;
    data: Record<string, unknown>;
  }>;
}

/** Both attempts together must end within the 800 ms of a health check. */
const viaPoolMs = 300;
const pastPoolMs = 400;

const refusesLogins = 'The database refuses new connections';

/** If no call had a response for this long, the connections are not busy but dead. */
const deadAfterMs = 5_000;

/**
 * Checks whether the database responds and accepts writes. Unhealthy if it does not. Only Degraded if the
 * server refuses new logins while older connections work, and if all connections of this process are in use
 * and get responses: removing a busy replica would add load to the others.
 */
export function databaseCheck(db: Database, options: { name?: string; tags?: string[] } = {}): DatabaseCheck {
  return {
    name: options.name ?? 'database',
    tags: options.tags ?? ['db', 'ready'],
    async check() {
      const waiting = () => db.pool.waitingCount + waitingForShare(db.pool);
      const data = () => ({
        connections: db.pool.totalCount,
        idleConnections: db.pool.idleCount,
        waitingRequests: waiting(),
      });
      try {
        await db.ping(viaPoolMs);
        const refused = db.refusedLogin();
        if (refused !== null && !(await answersPastPool(db)))
          return { status: 'Degraded', description: `${refusesLogins} (${refused}).`, data: data() };
        return { status: 'Healthy', description: null, data: data() };
      } catch (error) {
        const busy = waiting() > 0 && db.pool.idleCount === 0 && connectionFault(error);
        if (busy && db.silentMs() < deadAfterMs && (await answersPastPool(db))) {
          return { status: 'Degraded', description: 'All database connections are in use.', data: data() };
        }
        return { status: 'Unhealthy', description: reasonOf(error, db), data: data() };
      }
    },
  };
}

function reasonOf(error: unknown, db: Database): string {
  if (error instanceof ReadOnlyServer) return 'The database is read-only.';
  const refused = db.refusedLogin();
  return refused === null ? 'The database does not respond.' : `${refusesLogins} (${refused}).`;
}

/** Uses its own connection, to distinguish a busy pool from a frozen server. */
async function answersPastPool(db: Database): Promise<boolean> {
  const client = new pg.Client({ ...db.pool.options, connectionTimeoutMillis: pastPoolMs });
  client.on('error', () => undefined); // connect and query report it
  const asked = client.connect().then(() => client.query('select 1').then(() => true));
  try {
    return await withTimeout(asked, pastPoolMs);
  } catch {
    return false;
  } finally {
    void client.end().catch(() => undefined); // not awaited: a frozen server does not respond
  }
}
