import { continueTrace } from '../context/traceparent';
import type { Tracing } from './create-tracing';

/** An event that the broker has confirmed. */
export interface PublishedEvent {
  eventId: string;
  eventType: string;
  tenantId: string;
  traceparent: string | null;
  createdAt: Date;
}

/**
 * Hooks for the dispatcher of the outbox: record a span from the commit of each event to its confirm. Empty
 * without tracing.
 */
export function publicationSpans(tracing: Tracing): {
  onPublished?: (events: readonly PublishedEvent[]) => void;
} {
  if (!tracing.enabled) return {};
  return {
    onPublished(events) {
      for (const { eventId, eventType, tenantId, traceparent, createdAt } of events) {
        if (traceparent === null) continue;
        tracing.record({
          name: `publish ${eventType}`,
          kind: 'producer',
          traceparent: continueTrace(traceparent),
          parent: traceparent,
          startedAt: createdAt.getTime(),
          attributes: {
            'messaging.system': 'rabbitmq',
            'messaging.message.id': eventId,
            'canvass.tenant_id': tenantId,
          },
        });
      }
    },
  };
}
