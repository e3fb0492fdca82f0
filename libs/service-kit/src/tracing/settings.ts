import Joi from 'joi';

/** `Service:Tracing`: the export of spans. */
export interface TracingSettings {
  /**
   * Traces URL of an OTLP/HTTP collector, for example `http://collector:4318/v1/traces`. Without it nothing
   * is exported.
   */
  OtlpUrl?: string;
  /** Headers of each export, for example the API key of the collector. */
  OtlpHeaders: Record<string, string>;
  SampleRatio: number;
}

export const tracingSettingsSchema: Joi.ObjectSchema<TracingSettings> = Joi.object<TracingSettings>({
  OtlpUrl: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .description(
      'URL of the OpenTelemetry collector (OTLP over HTTP, JSON), such as `http://collector:4318/v1/traces`.',
    ),
  OtlpHeaders: Joi.object()
    .pattern(Joi.string().max(100), Joi.string().max(4_000))
    .default({})
    .meta({ secret: true })
    .description('Headers of each export as JSON, for example the API key of the collector.'),
  SampleRatio: Joi.number()
    .min(0)
    .max(1)
    .default(1)
    .description('Share of traces that are exported. Give all services the same.'),
}).default();
