import type { EventEnvelope, SettingsRef, WebhookEventKind } from '@canvass/contracts';
import type { Database } from '@canvass/postgres';
import { fanOutMessage } from './fan-out.sql';
import { messageBody } from './message-body';

/**
 * Turns an event into its message and deliveries, in one statement, and gives the ids of the deliveries it made. Empty when
 * nobody wants the event, or when the event came before.
 *
 * @param sweepAfterSeconds how long the sweepers leave the deliveries to whoever was told of them directly
 */
export async function fanOut(
  db: Database,
  envelope: EventEnvelope,
  kind: WebhookEventKind,
  settings: SettingsRef,
  sweepAfterSeconds: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(fanOutMessage, [
    envelope.id,
    envelope.tenantId,
    kind.eventName,
    kind.entity,
    kind.action,
    messageBody(envelope, kind),
    envelope.traceparent,
    envelope.occurredAt,
    envelope.entityId,
    envelope.formId,
    settings.scope,
    settings.scopeId,
    settings.version,
    sweepAfterSeconds,
  ]);
  return rows.map(({ id }) => id);
}
