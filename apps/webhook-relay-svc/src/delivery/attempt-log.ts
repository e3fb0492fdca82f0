import type { Logger, Tracing } from '@canvass/service-kit';
import type { Claimed } from './claim';
import type { Attempt, FinalStatus } from './record';

/** Tells of each attempt that was made: one wide line and one span. `status` is what its delivery became. */
export type AttemptLog = (delivery: Claimed, attempt: Attempt, status: FinalStatus | 'late') => void;

/**
 * The ids join what others write: `traceId` is the request's at the gateway and the services, `messageId` the
 * event's in outbox, RabbitMQ and the receiver's `webhook-id`. No URL: addresses may be secrets.
 */
export function createAttemptLog(logger: Logger, tracing: Tracing): AttemptLog {
  return (delivery, { result, traceparent }, status) => {
    const { message } = delivery;
    logger.info(
      {
        deliveryId: delivery.id,
        messageId: message.id,
        endpointId: delivery.endpointId,
        tenantId: delivery.tenantId,
        event: message.eventName,
        number: delivery.attempts + 1,
        outcome: result.outcome,
        httpStatus: result.statusCode,
        ms: Math.round(result.totalMs * 10) / 10,
        status,
        ...(traceparent === null ? {} : { traceId: traceparent.slice(3, 35) }),
      },
      'attempt',
    );
    if (!tracing.enabled || traceparent === null) return;
    const endedAt = Date.now();
    tracing.record({
      name: `POST ${message.eventName}`,
      kind: 'client',
      traceparent,
      parent: message.traceparent,
      startedAt: endedAt - result.totalMs,
      endedAt,
      attributes: {
        'http.request.method': 'POST',
        ...(result.statusCode === null ? {} : { 'http.response.status_code': result.statusCode }),
        'messaging.message.id': message.id,
        'canvass.tenant_id': delivery.tenantId,
        'canvass.delivery_id': delivery.id,
        'canvass.endpoint_id': delivery.endpointId,
        'canvass.attempt': delivery.attempts + 1,
      },
      error: result.outcome === 'success' ? undefined : result.outcome,
    });
  };
}
