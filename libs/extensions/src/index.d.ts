/**
 * The contracts of extensions: types only, without code or dependencies. docs/extending.md links an example
 * of each.
 */
export type {
  CreateResolver,
  ExtractedSubmitter,
  Principal,
  SubmitterExtractor,
  SubmitterResolver,
  SubmitterSettings,
} from './submitters';
export type {
  CheckEntry,
  CheckResult,
  HealthCheck,
  HealthProbe,
  HealthReport,
  HealthResponse,
  HealthResponseContext,
  HealthResponseWriter,
  HealthStatus,
} from './health';
