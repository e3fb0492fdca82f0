import { SpanKind, SpanStatusCode, TraceFlags, type Attributes, type HrTime } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { traceOf } from '../context/traceparent';

/** A piece of work that is over, as its own `traceparent` names it. */
export interface FinishedSpan {
  name: string;
  kind: 'server' | 'client' | 'producer' | 'consumer';
  /** Its own: trace id and span id. */
  traceparent: string;
  /** Of whoever asked for it; null or absent where the trace begins here. */
  parent?: string | null | undefined;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Milliseconds since 1970; now, unless told. */
  endedAt?: number;
  /** No secrets, no bodies: they leave the house. */
  attributes?: Attributes;
  /** What went wrong, by a bounded word; absent when nothing did. */
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

/** As the exporter wants it; null when the trace is not to be recorded (the flags of its caller) or not named. */
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
