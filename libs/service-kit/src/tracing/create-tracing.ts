import { readableSpan, type FinishedSpan } from './span';
import type { TracingSettings } from './settings';

/** Exports the spans of this process. */
export interface Tracing {
  /** Returns whether spans are exported. If not, callers can skip the description of a span. */
  readonly enabled: boolean;
  /** Never throws and never waits. Spans are dropped if the collector is unavailable or slow. */
  record(span: FinishedSpan): void;
  /** Exports the queued spans, for a few seconds at most. */
  stop(): Promise<void>;
}

export const noTracing: Tracing = {
  enabled: false,
  record: () => undefined,
  stop: () => Promise.resolve(),
};

const maxWaiting = 4_096;
const exportTimeoutMs = 5_000;

/**
 * Creates the exporter of a process (OTLP/HTTP, JSON). The ids come from `context/traceparent.ts`, because
 * logs, the outbox and webhooks contain them even without an export. The exporter is loaded only if it is
 * configured: it takes memory and time at the start.
 */
export async function createTracing(
  serviceName: string,
  settings: TracingSettings | undefined,
): Promise<Tracing> {
  if (settings?.OtlpUrl === undefined || settings.SampleRatio === 0) return noTracing;
  const [{ OTLPTraceExporter }, { resourceFromAttributes }, { BatchSpanProcessor }] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
  ]);
  const resource = resourceFromAttributes({ 'service.name': serviceName, 'service.namespace': 'canvass' });
  const exporter = new OTLPTraceExporter({
    url: settings.OtlpUrl,
    headers: settings.OtlpHeaders,
    timeoutMillis: exportTimeoutMs,
  });
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: maxWaiting,
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

/** Samples by the last six bytes of the trace id, which are random by W3C Trace Context Level 2. */
function chosenBy(ratio: number): (traceparent: string) => boolean {
  if (ratio === 1) return () => true;
  const limit = ratio * 2 ** 48;
  return (traceparent) => Number.parseInt(traceparent.slice(23, 35), 16) < limit;
}
