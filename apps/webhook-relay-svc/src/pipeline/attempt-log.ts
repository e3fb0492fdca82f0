import type { Logger, Tracing } from '@canvass/service-kit';
import type { Claimed } from './leases';
import type { Attempt, ResultStatus } from './record';

/**
 * Writes one log line and one span for an attempt. `status` is that of its delivery after it. The ids are
 * those of other logs: `traceId` of the request at the gateway and the services, `messageId` of the event in
 * outbox, RabbitMQ and the receiver's `webhook-id`. No URL, because it may be a secret.
 */
export function logAttempt(
  { logger, tracing }: { logger: Logger; tracing: Tracing },
  delivery: Claimed,
  { result, traceparent }: Attempt,
  status: ResultStatus | 'late',
): void {
  logger.info(
    {
      deliveryId: delivery.id,
      messageId: delivery.messageId,
      endpointId: delivery.endpointId,
      tenantId: delivery.tenantId,
      event: delivery.eventName,
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
    name: `POST ${delivery.eventName}`,
    kind: 'client',
    traceparent,
    parent: delivery.traceparent,
    startedAt: endedAt - result.totalMs,
    endedAt,
    attributes: {
      'http.request.method': 'POST',
      ...(result.statusCode === null ? {} : { 'http.response.status_code': result.statusCode }),
      'messaging.message.id': delivery.messageId,
      'canvass.tenant_id': delivery.tenantId,
      'canvass.delivery_id': delivery.id,
      'canvass.endpoint_id': delivery.endpointId,
      'canvass.attempt': delivery.attempts + 1,
    },
    error: result.outcome === 'success' ? undefined : result.outcome,
  });
}
