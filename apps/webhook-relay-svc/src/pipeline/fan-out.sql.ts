import type { EventEnvelope, SettingsRef, WebhookEventKind } from '@canvass/contracts';
import { statement } from '@canvass/postgres';
import type { LeasedRow, LeaseParams, TargetRow } from './claim.sql';

/** A delivery that was made. If it was leased, its target is there. */
export type MadeRow = TargetRow &
  Pick<LeasedRow, 'id' | 'tenantId' | 'endpointId' | 'messageId' | 'eventName' | 'claimedAt' | 'sendAt'> & {
    leased: boolean;
  };

/** The head of an event that webhooks carry, its settings, and the bytes of its message. */
export interface WebhookEvent {
  envelope: Omit<EventEnvelope, 'data'>;
  kind: WebhookEventKind;
  settings: SettingsRef;
  /** The body in pieces, which are joined when they are written. */
  body: Buffer[];
  /** Ids of endpoints that do not get it. */
  leftOut: readonly string[];
}

export const sizeOf = (body: readonly Buffer[]) => body.reduce((sum, { length }) => sum + length, 0);

/** Events as columns. The bodies are one after the other. */
export const eventColumns = (events: readonly WebhookEvent[]) => ({
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
  leftOut: events.flatMap(({ leftOut }) => leftOut),
  leftOutOf: events.flatMap(({ leftOut }, n) => leftOut.map(() => n + 1)),
});

/** Sweeps leave the deliveries to their jobs for `sweepAfterSeconds`. */
type FanOutParams = ReturnType<typeof eventColumns> & LeaseParams & { sweepAfterSeconds: number };

/**
 * Makes messages and deliveries, and leases those that may start now: `functions/fan_out.sql`. The events are
 * in the order of tenant and id.
 */
export const fanOutMessages = statement<FanOutParams, MadeRow>(
  'fan_out_messages',
  `select id, tenant_id as "tenantId", endpoint_id as "endpointId", message_id as "messageId", event_name as "eventName",
          leased, claimed_at as "claimedAt", send_at as "sendAt", url, payload, format,
          credentials_sealed as "credentialsSealed", is_degraded as "isDegraded", secrets
   from fan_out(
     $ids, $tenantIds, $eventNames, $entities, $actions, $bodies, $sizes, $traceparents, $occurredAt, $entityIds, $formIds,
     $scopes, $scopeIds, $versions, $leftOut, $leftOutOf, $lease, $seconds, $room, $share, $tenants, $used, $leadSeconds, $sweepAfterSeconds)`,
);
