import { notFound } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import type { Operation } from '@canvass/service-kit';
import { readDelivery, type DeliveryDetail } from '../log';
import { findTenantOfDelivery, listFailedDeliveries, listOperatedDeliveries } from './deliveries.sql';

/** The operations that show operators why deliveries failed, over all tenants. They show no answers. */
export function deliveryOperations(db: Database): Operation[] {
  return [
    {
      name: 'deliveries list',
      about: 'Lists deliveries of all tenants, newest first.',
      options: {
        failed: { about: 'Only those that failed: waiting for a retry, or dead.', kind: 'flag' },
        tenant: { about: 'Id of the tenant.', kind: 'id' },
        endpoint: { about: 'Id of one endpoint.', kind: 'id' },
        limit: { about: 'Maximum number of rows.', kind: 'count', otherwise: '50' },
      },
      async run({ failed, tenant: tenantId, endpoint: endpointId, limit = '50' }) {
        const list = failed === undefined ? listOperatedDeliveries : listFailedDeliveries;
        return { rows: await db.query(list({ tenantId, endpointId, limit })) };
      },
    },
    {
      name: 'deliveries show',
      about: 'Shows the attempts of a delivery, oldest first.',
      options: { delivery: { about: 'Id of the delivery.', kind: 'id', isRequired: true } },
      async run({ delivery: id = '' }) {
        const [owner] = await db.query(findTenantOfDelivery({ id }));
        if (owner === undefined) throw notFound('webhook delivery', id);
        const delivery = await readDelivery(db, owner.tenantId, id);
        return { rows: delivery.attempts.map(shown), say: summary(delivery) };
      },
    },
  ];
}

/** The query of a URL may be a secret. */
const shown = ({
  number,
  startedAt,
  outcome,
  statusCode,
  error,
  ...more
}: DeliveryDetail['attempts'][number]) => ({
  number,
  startedAt,
  outcome,
  statusCode,
  error,
  totalMs: more.milliseconds.total,
  remoteAddress: more.remoteAddress,
  url: more.url.replace(/[?#].*$/, '?…'),
});

function summary({ id, eventName, endpointId, status, attemptCount, nextAttemptAt }: DeliveryDetail): string {
  const next = nextAttemptAt === null ? '' : `, next attempt ${nextAttemptAt.toISOString()}`;
  return `Delivery ${id} of ${eventName} to endpoint ${endpointId}: ${status}, attempts: ${attemptCount}${next}.`;
}
