import { readBounded, type Database } from '@canvass/postgres';
import { findBacklog, type EndpointBacklog } from './backlog.sql';

/** Endpoints of an answer at most. */
export const maxEndpoints = 100;

export interface BacklogTotals {
  waiting: number;
  due: number;
  inFlight: number;
  oldestDueAt: Date | null;
  /** Returns whether every endpoint was counted to the end. */
  isExact: boolean;
}

export interface Backlog extends BacklogTotals {
  /** Endpoints with most due deliveries first. */
  endpoints: EndpointBacklog[];
}

/** Reads what waits to be delivered now. @throws {Problem} `query_too_broad` after 5 s */
export async function readBacklog(db: Database, tenantId: string): Promise<Backlog> {
  const rows = await readBounded(db, 'Too many endpoints have deliveries that wait.', (tx) =>
    tx.query(findBacklog({ tenantId })),
  );
  const sum = (name: 'waiting' | 'due' | 'inFlight') => rows.reduce((total, row) => total + row[name], 0);
  const oldest = rows.flatMap(({ oldestDueAt }) => oldestDueAt?.getTime() ?? []);
  return {
    waiting: sum('waiting'),
    due: sum('due'),
    inFlight: sum('inFlight'),
    oldestDueAt: oldest.length === 0 ? null : new Date(Math.min(...oldest)),
    isExact: rows.every(({ isExact }) => isExact),
    endpoints: rows.slice(0, maxEndpoints).map(({ isExact: _, ...row }) => row),
  };
}
