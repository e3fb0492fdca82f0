import { randomUUID } from 'node:crypto';
import { claimByIds, claimDue } from '../src/pipeline/claim.sql';

/** A claim of what is due, with room for 100. */
export const dueClaim = (params: Partial<Parameters<typeof claimDue>[0]> = {}) =>
  claimDue({
    lease: randomUUID(),
    seconds: 30,
    room: 100,
    share: 100,
    tenants: [],
    used: [],
    leadSeconds: 0,
    cursor: '0',
    ready: '-infinity',
    scheduled: '-infinity',
    ...params,
  });

/** A claim of deliveries by tenant, endpoint and id. */
export const claimOf = (...jobs: (readonly [tenantId: string, endpointId: string, id: string])[]) =>
  claimByIds({
    lease: randomUUID(),
    seconds: 30,
    room: 100,
    leadSeconds: 0,
    tenantIds: jobs.map(([tenantId]) => tenantId),
    endpointIds: jobs.map(([, endpointId]) => endpointId),
    ids: jobs.map(([, , id]) => id),
  });
