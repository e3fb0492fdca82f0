import type { EventEnvelope, WebhookEventKind, WebhookMessage } from '@canvass/contracts';

/** What an entity may carry that no webhook shows. */
const never = new Set(['token', 'webHookSettingsJson']);

/**
 * The bytes of the webhook request, made once and sent on every try: the entity as the API shows it, with the
 * ids that the specification asks for in front (`formId` for form events; `submissionId` and `formId` for
 * submission events).
 */
export function messageBody(envelope: EventEnvelope, kind: WebhookEventKind): Buffer {
  const { id, tenantId, entityId, formId, revision } = envelope;
  const shown = Object.entries(envelope.data).filter(([name]) => !never.has(name));
  const ids = kind.entity === 'submission' ? { submissionId: entityId, formId } : { formId: entityId };
  const fixed = { ...ids, tenantId, revision };
  const message: WebhookMessage = {
    Id: id,
    EventName: kind.eventName,
    Action: kind.action,
    Payload: { ...fixed, ...Object.fromEntries(shown), ...fixed },
  };
  return Buffer.from(JSON.stringify(message));
}
