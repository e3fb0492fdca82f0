import { notFound } from '@canvass/errors';
import type { Transactor } from '@canvass/postgres';
import type { Operation, OptionValues } from '@canvass/service-kit';
import { disableEndpoint, enableEndpoint } from '../endpoints';
import { failedSince, startRecovery } from '../recoveries';
import { listOperatedEndpoints, shownStates } from './endpoints.sql';

const tenant = { about: 'Id of the tenant.', kind: 'id' } as const;
const one = {
  tenant: { ...tenant, isRequired: true },
  endpoint: { about: 'Id of the endpoint.', kind: 'id', isRequired: true },
} as const;

/** The operations of operators on webhook endpoints and their deliveries, over all tenants. */
export function endpointOperations(db: Transactor): Operation[] {
  const list = (tenantId?: string, id?: string, state?: string, limit = '1') =>
    db.query(listOperatedEndpoints({ tenantId, id, state, limit }));

  /** The state of the endpoint after `sql`; the running relays see it with their next claim. */
  const changing = (change: typeof enableEndpoint, say: string) =>
    async function ({ tenant: tenantId, endpoint: id }: OptionValues) {
      await db.query(change({ tenantId: tenantId!, id: id!, traceparent: null }));
      const rows = await list(tenantId, id);
      if (rows.length === 0) throw notFound('webhook endpoint', id);
      return { rows, say };
    };

  return [
    {
      name: 'endpoints',
      about: 'Lists endpoints of all tenants, failing ones first.',
      options: {
        tenant,
        endpoint: { about: 'Id of one endpoint.', kind: 'id' },
        state: { about: 'State of the endpoints; failing includes paused.', kind: shownStates },
        limit: { about: 'Maximum number of rows.', kind: 'count', otherwise: '50' },
      },
      async run({ tenant: tenantId, endpoint, state, limit }) {
        const rows = await list(tenantId, endpoint, state, limit);
        return { rows, say: `${rows.length} endpoints.` };
      },
    },
    {
      name: 'endpoints enable',
      about: 'Enables an endpoint and sends its recorded deliveries.',
      options: one,
      changes: true,
      run: changing(enableEndpoint, 'The endpoint is enabled.'),
    },
    {
      name: 'endpoints disable',
      about: 'Disables an endpoint. Its deliveries are recorded.',
      options: one,
      changes: true,
      run: changing(disableEndpoint, 'The endpoint is disabled.'),
    },
    {
      name: 'replay',
      about: 'Resends all failed and dead deliveries of an endpoint since a time, as a job.',
      options: { ...one, since: { about: 'Start of the time range.', kind: 'time', isRequired: true } },
      changes: true,
      async run({ tenant: tenantId, endpoint: endpointId, since }) {
        const request = failedSince(endpointId!, new Date(since!));
        const asked = { tenantId: tenantId!, reason: null, request };
        const { id, status, total, recovered, createdAt, finishedAt, ...made } = await startRecovery(
          db,
          asked,
          null,
        );
        const row = { id, endpointId, since: made.since, status, total, recovered, createdAt, finishedAt };
        return { rows: [row], say: `Recovery ${id} is running: ${total} deliveries.` };
      },
    },
  ];
}
