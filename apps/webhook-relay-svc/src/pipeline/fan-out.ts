import { groupCommit, type Database } from '@canvass/postgres';
import { smallBodyBytes, type LeasedRow } from './claim.sql';
import type { Deliverer } from './deliverer';
import { eventColumns, fanOutMessages, sizeOf, type MadeRow, type WebhookEvent } from './fan-out.sql';
import type { Job, Leases } from './leases';

/**
 * Turns an event into its message and deliveries, and starts those that may start now. Resolves after the
 * commit with the deliveries that were made but not started: none if the settings have no endpoint for the
 * event, or if it was handled before.
 */
export type FanOut = (event: WebhookEvent) => Promise<Job[]>;

export interface FanOutDeps {
  db: Database;
  leases: Leases;
  deliverer: Pick<Deliverer, 'start'>;
  /** The time that sweeps leave new deliveries to their jobs. 0: those that may start do so here. */
  sweepAfterSeconds: number;
}

/** One statement's events and the bytes of their bodies. */
const groupLimits = {
  items: 250,
  bytes: 8 * 1024 * 1024,
  bytesOf: ({ body }: WebhookEvent) => sizeOf(body),
};

/** Events that arrive together are one statement and one commit. */
export function createFanOut({ db, leases, deliverer, sweepAfterSeconds }: FanOutDeps): FanOut {
  return groupCommit<WebhookEvent, Job[]>(groupLimits, async (group) => {
    const events = new Map(group.map((event) => [event.envelope.id, event]));
    const reservation = await leases.reserve();
    let rows: MadeRow[];
    try {
      const { params } = reservation;
      const room = sweepAfterSeconds === 0 ? params.room : 0;
      const columns = eventColumns([...events.values()].sort(byTenantAndId));
      rows = await db.query(fanOutMessages({ sweepAfterSeconds, ...columns, ...params, room }));
    } catch (error) {
      leases.abandon(reservation);
      throw error;
    }
    const started = rows
      .filter(({ leased }) => leased)
      .map((row) => leasedRow(row, events.get(row.messageId)!));
    deliverer.start(leases.accept(reservation, started, false));
    const left = rows.filter(({ leased }) => !leased);
    // An event that is in the group twice has its jobs once.
    const jobsOf = ({ id }: WebhookEvent['envelope']) =>
      left.filter((row) => row.messageId === id).map(jobOf);
    return group.map((event) => (events.get(event.envelope.id) === event ? jobsOf(event.envelope) : []));
  });
}

/** The order in which every statement locks. */
const byTenantAndId = ({ envelope: a }: WebhookEvent, { envelope: b }: WebhookEvent): number =>
  Number(BigInt(a.tenantId) - BigInt(b.tenantId)) || Number(BigInt(a.id) - BigInt(b.id));

const jobOf = ({ tenantId, endpointId, id }: MadeRow): Job => ({ tenantId, endpointId, deliveryId: id });

/** A large body is read again when it is sent, so that what is in flight has a budget. */
function leasedRow(row: MadeRow, { envelope, kind, body }: WebhookEvent): LeasedRow {
  return {
    attempts: 0,
    scheduleStep: 0,
    entity: kind.entity,
    action: kind.action,
    traceparent: envelope.traceparent,
    occurredAt: Date.parse(envelope.occurredAt),
    bytes: sizeOf(body),
    body: sizeOf(body) <= smallBodyBytes ? Buffer.concat(body) : null,
    ...row,
  };
}
