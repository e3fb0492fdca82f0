import type { EventEnvelope, SettingsRef, WebhookEventKind } from '@canvass/contracts';
import type { Database } from '@canvass/postgres';
import type { Claims, Deliverer } from '../delivery';
import { groupCommit } from '../group-commit';
import { fanOutMessages, type MadeRow } from './fan-out.sql';
import { messageBody } from './message-body';

/** An event that webhooks carry, with what its settings are. */
interface WebhookEvent {
  envelope: EventEnvelope;
  kind: WebhookEventKind;
  settings: SettingsRef;
}

/**
 * Turns an event into its message and deliveries and, unless jobs do that, begins to send as many of them as
 * may start now. Resolves after the commit with the ids of the deliveries it made that are not under way;
 * none when nobody wants the event, or when the event came before.
 */
export type FanOut = (event: WebhookEvent) => Promise<string[]>;

export interface FanOutDeps {
  db: Database;
  claims: Claims;
  deliverer: Deliverer;
  /** Whether deliveries start here, in the statement that makes them. */
  sendHere: boolean;
  /** How long the sweepers leave the deliveries to whoever was told of them directly. */
  sweepAfterSeconds: number;
}

/** Events of one statement; a consumer has hardly more of them in its hands. */
const mostAtOnce = 250;

/** Events that come together are one statement and one commit. */
export function createFanOut(deps: FanOutDeps): FanOut {
  const { db, claims, deliverer, sweepAfterSeconds } = deps;

  return groupCommit(mostAtOnce, async (take) => {
    let events: readonly WebhookEvent[] = [];
    const notStarted = new Map<string, string[]>();
    await deliverer.deliverNew((room) => {
      events = take();
      const byId = new Map(events.map((event) => [event.envelope.id, event]));
      const bodies = new Map<string, Buffer>();
      for (const [id, { envelope, kind }] of byId) bodies.set(id, messageBody(envelope, kind));
      return claims.by(async ({ token, seconds, turns }) => {
        const rows = await db.query<MadeRow>(fanOutMessages, [
          ...columnsOf([...byId.values()], bodies),
          sweepAfterSeconds,
          token,
          seconds,
          deps.sendHere ? room : 0,
          ...turns,
        ]);
        for (const { leased, id, message_id: messageId } of rows)
          if (!leased) notStarted.set(messageId, [...(notStarted.get(messageId) ?? []), id]);
        return rows
          .filter((row) => row.leased)
          .map((row) => {
            const { envelope, kind } = byId.get(row.message_id)!;
            const { eventName: event_name, entity, action } = kind;
            const { traceparent } = envelope;
            const message = { event_name, entity, action, traceparent, body: bodies.get(row.message_id)! };
            return { ...row, ...message, attempts: 0, schedule_step: 0 };
          });
      });
    });
    return events.map(({ envelope }) => notStarted.get(envelope.id) ?? []);
  });
}

/** Parameters $1 to $13 of the statement. */
function columnsOf(events: readonly WebhookEvent[], bodies: ReadonlyMap<string, Buffer>): unknown[][] {
  return [
    events.map(({ envelope }) => envelope.id),
    events.map(({ envelope }) => envelope.tenantId),
    events.map(({ kind }) => kind.eventName),
    events.map(({ kind }) => kind.entity),
    events.map(({ kind }) => kind.action),
    events.map(({ envelope }) => bodies.get(envelope.id)),
    events.map(({ envelope }) => envelope.traceparent),
    events.map(({ envelope }) => envelope.occurredAt),
    events.map(({ envelope }) => envelope.entityId),
    events.map(({ envelope }) => envelope.formId),
    events.map(({ settings }) => settings.scope),
    events.map(({ settings }) => settings.scopeId),
    events.map(({ settings }) => settings.version),
  ];
}
