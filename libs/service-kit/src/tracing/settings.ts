import Joi from 'joi';

/** `Service:Tracing`: where the spans of this process go. */
export interface TracingSettings {
  /** URL of an OTLP/HTTP collector's traces, for example `http://collector:4318/v1/traces`; without it nothing is exported. */
  OtlpUrl?: string;
  /** Headers of each export, for collectors that want a key. */
  OtlpHeaders: Record<string, string>;
  SampleRatio: number;
}

export const tracingSettingsSchema: Joi.ObjectSchema<TracingSettings> = Joi.object<TracingSettings>({
  OtlpUrl: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .description(
      'Where spans are exported to: the full URL of an OpenTelemetry collector, `http://collector:4318/v1/traces` (OTLP over HTTP, JSON). Without it none are.',
    ),
  OtlpHeaders: Joi.object()
    .pattern(Joi.string().max(100), Joi.string().max(4_000))
    .default({})
    .meta({ secret: true })
    .description('Headers of each export, as JSON: what the collector wants for a key.'),
  SampleRatio: Joi.number()
    .min(0)
    .max(1)
    .default(1)
    .description(
      'Share of traces that is exported. Decided by the trace id: services with the same ratio export the same traces.',
    ),
}).default();
