import type { Queryable } from '@canvass/postgres';
import { allDeliveries, findMessageOf, type DeliveryView } from '../log';
import {
  newestMissing,
  newestToResend,
  planOfMissing,
  planOfResend,
  takenBy,
  type PlanGroup,
} from './recoveries.sql';
import type { RecoveryRequest } from './recovery-request';

/** The deliveries that a recovery would take. */
export interface RecoveryPlan {
  /** Deliveries that would be made due. */
  count: number;
  /** Matching deliveries of disabled and removed endpoints, which would not be sent. */
  skipped: number;
  byEndpoint: PlanEndpoint[];
  byOutcome: { outcome: string | null; count: number }[];
  oldest: Date | null;
  newest: Date | null;
  /** The newest; of missing messages their deliveries to another endpoint. */
  sample: DeliveryView[];
}

export type PlanEndpoint = Pick<PlanGroup, 'endpointId' | 'url' | 'state' | 'count'>;

const sampled = 10;
/** Most endpoints in a plan, those with the most deliveries. */
export const maxEndpoints = 100;

export async function planOf(
  db: Queryable,
  tenantId: string,
  { mode, filter: asked, deliveryIds }: RecoveryRequest,
): Promise<RecoveryPlan> {
  const ids = deliveryIds === null ? {} : { ids: deliveryIds };
  const found = await findMessageOf(db, { ...asked, ...ids, tenantId });
  const [groups, newest] =
    mode === 'missing'
      ? [planOfMissing(found), newestMissing(found, sampled)]
      : [planOfResend(takenBy(mode, found)), newestToResend(takenBy(mode, found), sampled)];
  const counted = await db.run<PlanGroup>(groups);
  const ofSample = (await db.run<{ id: string }>(newest)).map(({ id }) => id);
  const sendable = counted.filter(({ state }) => state === 'enabled');
  const times = (name: 'oldest' | 'newest') => counted.map((group) => group[name].getTime());
  return {
    count: sum(sendable),
    skipped: sum(counted) - sum(sendable),
    byEndpoint: byEndpoint(counted).slice(0, maxEndpoints),
    byOutcome: [...new Set(counted.map(({ outcome }) => outcome))].map((outcome) => ({
      outcome,
      count: sum(counted.filter((group) => group.outcome === outcome)),
    })),
    oldest: counted.length === 0 ? null : new Date(Math.min(...times('oldest'))),
    newest: counted.length === 0 ? null : new Date(Math.max(...times('newest'))),
    sample: (await db.run<DeliveryView>(allDeliveries({ tenantId, ids: ofSample }, sampled))).reverse(),
  };
}

const sum = (groups: readonly { count: number }[]) => groups.reduce((total, { count }) => total + count, 0);

function byEndpoint(groups: readonly PlanGroup[]): PlanEndpoint[] {
  const found = new Map<string, PlanEndpoint>();
  for (const { endpointId, url, state, count } of groups)
    found.set(endpointId, { endpointId, url, state, count: count + (found.get(endpointId)?.count ?? 0) });
  return [...found.values()].sort((one, other) => other.count - one.count);
}
