import { SpanKind, SpanStatusCode, TraceFlags, type Attributes, type HrTime } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { traceOf } from '../context/traceparent';

/** A completed span. */
export interface FinishedSpan {
  name: string;
  kind: 'server' | 'client' | 'producer' | 'consumer';
  /** Trace id and span id of this span. */
  traceparent: string;
  /** `traceparent` of the caller; null or absent if the trace starts here. */
  parent?: string | null | undefined;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Milliseconds since 1970; default now. */
  endedAt?: number;
  /** Must not contain secrets or bodies: the collector may belong to a third party. */
  attributes?: Attributes;
  /** Error code from a closed set; absent on success. */
  error?: string | undefined;
}

const kinds: Record<FinishedSpan['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};
const instrumentationScope = { name: 'canvass' };
const nanosecondsPerMillisecond = 1_000_000;

const hrTime = (milliseconds: number): HrTime => {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, Math.round((milliseconds - seconds * 1000) * nanosecondsPerMillisecond)];
};

/** Converts a span for the exporter; null if the trace is not sampled or `traceparent` is malformed. */
export function readableSpan(span: FinishedSpan, resource: Resource): ReadableSpan | null {
  const own = traceOf(span.traceparent);
  if (own === null || !own.sampled) return null;
  const parent = span.parent === undefined || span.parent === null ? null : traceOf(span.parent);
  const context = ({ traceId, spanId }: { traceId: string; spanId: string }) => ({
    traceId,
    spanId,
    traceFlags: TraceFlags.SAMPLED,
  });
  const endedAt = Math.max(span.endedAt ?? Date.now(), span.startedAt);
  return {
    name: span.name,
    kind: kinds[span.kind],
    spanContext: () => context(own),
    ...(parent?.traceId === own.traceId ? { parentSpanContext: { ...context(parent), isRemote: true } } : {}),
    startTime: hrTime(span.startedAt),
    endTime: hrTime(endedAt),
    duration: hrTime(endedAt - span.startedAt),
    status:
      span.error === undefined
        ? { code: SpanStatusCode.UNSET }
        : { code: SpanStatusCode.ERROR, message: span.error },
    attributes: span.attributes ?? {},
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}
