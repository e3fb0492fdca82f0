/** The contracts of extensions: types only, no code and no dependencies. docs/extending.md shows an example of each. */
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
