export { createTracing, noTracing, type Tracing } from './create-tracing';
export { publicationSpans, type PublishedEvent } from './publication';
export { tracingSettingsSchema, type TracingSettings } from './settings';
export type { FinishedSpan } from './span';
