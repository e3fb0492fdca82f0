import type { EventEnvelope, SettingsRef, WebhookEventKind } from '@canvass/contracts';
import { groupCommit, type Database } from '@canvass/postgres';
import { smallBodyBytes, type LeasedRow } from './claim.sql';
import type { Deliverer } from './deliverer';
import { fanOutMessages, type EventColumns, type MadeRow } from './fan-out.sql';
import type { Job, Leases } from './leases';

/** The head of an event that webhooks carry, its settings, and the bytes of its message. */
export interface WebhookEvent {
  envelope: Omit<EventEnvelope, 'data'>;
  kind: WebhookEventKind;
  settings: SettingsRef;
  /** In pieces, which are joined when they are written. */
  body: Buffer[];
}

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
  /** Whether deliveries start here, in the statement that makes them. */
  sendHere: boolean;
  /** For how long sweeps leave new deliveries to their jobs. */
  sweepAfterSeconds: number;
}

/** One statement's events and the bytes of their bodies. */
const groupLimits = {
  items: 250,
  bytes: 8 * 1024 * 1024,
  bytesOf: ({ body }: WebhookEvent) => sizeOf(body),
};

/** Events that arrive together are one statement and one commit. */
export function createFanOut({ db, leases, deliverer, sendHere, sweepAfterSeconds }: FanOutDeps): FanOut {
  return groupCommit<WebhookEvent, Job[]>(groupLimits, async (group) => {
    const events = new Map(group.map((event) => [event.envelope.id, event]));
    const reservation = await leases.reserve();
    let rows: MadeRow[];
    try {
      const { params } = reservation;
      const room = sendHere ? params.room : 0;
      const columns = columnsOf([...events.values()]);
      rows = await db.query(fanOutMessages({ ...columns, ...params, room, sweepAfterSeconds }));
    } catch (error) {
      leases.abandon(reservation);
      throw error;
    }
    const started = rows
      .filter(({ leased }) => leased)
      .map((row) => leasedRow(row, events.get(row.messageId)!));
    deliverer.start(leases.accept(reservation, started));
    const left = rows.filter(({ leased }) => !leased);
    return group.map(({ envelope }) => left.filter((row) => row.messageId === envelope.id).map(jobOf));
  });
}

const sizeOf = (body: readonly Buffer[]) => body.reduce((sum, { length }) => sum + length, 0);

const jobOf = ({ tenantId, endpointId, id }: MadeRow): Job => ({ tenantId, endpointId, deliveryId: id });

/** A large body is read again when it is sent, so that what is in flight has a budget. */
function leasedRow(row: MadeRow, { envelope, kind, body }: WebhookEvent): LeasedRow {
  return {
    ...row,
    attempts: 0,
    scheduleStep: 0,
    entity: kind.entity,
    action: kind.action,
    traceparent: envelope.traceparent,
    bytes: sizeOf(body),
    body: sizeOf(body) <= smallBodyBytes ? Buffer.concat(body) : null,
  };
}

const columnsOf = (events: readonly WebhookEvent[]): EventColumns => ({
  ids: events.map(({ envelope }) => envelope.id),
  tenantIds: events.map(({ envelope }) => envelope.tenantId),
  eventNames: events.map(({ kind }) => kind.eventName),
  entities: events.map(({ kind }) => kind.entity),
  actions: events.map(({ kind }) => kind.action),
  bodies: Buffer.concat(events.flatMap(({ body }) => body)),
  sizes: events.map(({ body }) => sizeOf(body)),
  traceparents: events.map(({ envelope }) => envelope.traceparent),
  occurredAt: events.map(({ envelope }) => envelope.occurredAt),
  entityIds: events.map(({ envelope }) => envelope.entityId),
  formIds: events.map(({ envelope }) => envelope.formId),
  scopes: events.map(({ settings }) => settings.scope),
  scopeIds: events.map(({ settings }) => settings.scopeId),
  versions: events.map(({ settings }) => settings.version),
});
