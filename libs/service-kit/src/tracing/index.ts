export { createTracing, noTracing, type Tracing } from './create-tracing';
export { publicationSpans } from './publication';
export { tracingSettingsSchema, type TracingSettings } from './settings';
export type { FinishedSpan } from './span';
