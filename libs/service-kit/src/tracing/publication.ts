import { continueTrace } from '../context/traceparent';
import type { Tracing } from './create-tracing';

/** What is known of an event when the broker has confirmed it. */
export interface PublishedEvent {
  eventId: string;
  eventType: string;
  tenantId: string;
  traceparent: string | null;
  createdAt: Date;
}

/** For the outbox's dispatcher: a span from each event's commit to its confirm. Nothing when nobody wants spans. */
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
