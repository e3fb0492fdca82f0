import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace';
import { readableSpan, type FinishedSpan } from './span';
import type { TracingSettings } from './settings';

/** Exports the spans of this process, if anybody wants them. */
export interface Tracing {
  /** Whether spans go anywhere: what it costs to describe one can be saved. */
  readonly enabled: boolean;
  /** Never throws and never waits; when the collector is away or slow, spans are dropped. */
  record(span: FinishedSpan): void;
  /** Exports what waits, for a few seconds at most. */
  stop(): Promise<void>;
}

export const noTracing: Tracing = {
  enabled: false,
  record: () => undefined,
  stop: () => Promise.resolve(),
};

const mostWaiting = 4_096;
const exportTimeoutMs = 5_000;

/**
 * Ids are ours (`context/traceparent.ts`): they stand in logs, in the outbox and in webhooks whether or not anything is exported.
 * OpenTelemetry's parts batch the finished spans and send them (OTLP/HTTP, JSON).
 */
export function createTracing(serviceName: string, settings: TracingSettings | undefined): Tracing {
  if (settings?.OtlpUrl === undefined || settings.SampleRatio === 0) return noTracing;
  const resource = resourceFromAttributes({ 'service.name': serviceName, 'service.namespace': 'canvass' });
  const exporter = new OTLPTraceExporter({
    url: settings.OtlpUrl,
    headers: settings.OtlpHeaders,
    timeoutMillis: exportTimeoutMs,
  });
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: mostWaiting,
    exportTimeoutMillis: exportTimeoutMs,
    scheduledDelayMillis: 1_000,
  });
  const isChosen = chosenBy(settings.SampleRatio);
  return {
    enabled: true,
    record(span) {
      if (!isChosen(span.traceparent)) return;
      const readable = readableSpan(span, resource);
      if (readable !== null) processor.onEnd(readable);
    },
    stop: () => processor.shutdown().catch(() => undefined),
  };
}

/** By the last six bytes of the trace id: they are random in every trace id that keeps to W3C Trace Context Level 2. */
function chosenBy(ratio: number): (traceparent: string) => boolean {
  if (ratio === 1) return () => true;
  const limit = ratio * 2 ** 48;
  return (traceparent) => Number.parseInt(traceparent.slice(23, 35), 16) < limit;
}
