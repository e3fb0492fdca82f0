import Joi from 'joi';
import type { HostingSettings } from '../config/settings';
import type { DescribedAnswer } from '../http/described-answer';
import type { HttpOperation } from '../http/endpoint';
import type { CheckEntry, HealthReport, HealthStatus } from './report';

export type HealthPaths = Pick<HostingSettings, 'HealthCheckPath' | 'LivenessPath' | 'ReadinessPath'> &
  Partial<Pick<HostingSettings, 'PublicHealthDetails'>>;

const fine: HealthStatus[] = ['Healthy', 'Degraded'];
const bad: HealthStatus[] = ['Unhealthy'];
const statusOf = (statuses: readonly HealthStatus[]) => Joi.string<HealthStatus>().valid(...statuses);

const duration = Joi.string()
  .pattern(/^\d{2,}:\d{2}:\d{2}\.\d{7}$/)
  .description('`hh:mm:ss.fffffff`');

const checkSchema = Joi.object<CheckEntry, true>({
  name: Joi.string().required(),
  status: statusOf([...fine, ...bad]).required(),
  description: Joi.string().allow(null).required().description('One sentence for an operator.'),
  data: Joi.object().required().description('Details; their members depend on the check.'),
  duration: duration.required(),
}).meta({ name: 'HealthCheck' });

const reportSchema = (statuses: readonly HealthStatus[]) =>
  Joi.object<HealthReport, true>({
    status: statusOf(statuses).required().description('The worst of all checks.'),
    checks: Joi.array().items(checkSchema).required(),
    totalDuration: duration.required(),
  });

const example: HealthReport = {
  status: 'Healthy',
  checks: [
    { name: 'service-self', status: 'Healthy', description: null, data: {}, duration: '00:00:00.0000120' },
  ],
  totalDuration: '00:00:00.0000120',
};

const headers = { 'Cache-Control': 'always `no-store, no-cache`' };
const passed = 'Healthy or Degraded.';
const failed = 'Unhealthy.';

/** The responses of a health endpoint: 200 for Healthy and Degraded, 503 for Unhealthy. */
const answers = (
  of: (statuses: readonly HealthStatus[]) => Pick<DescribedAnswer, 'body' | 'content' | 'example'>,
) => ({
  200: { description: passed, headers, ...of(fine) },
  503: { description: failed, headers, ...of(bad) },
});

const word = answers((statuses) => ({ content: { 'text/plain': statusOf(statuses) } }));
const report = answers((statuses) => ({
  body: reportSchema(statuses),
  example: { ...example, status: statuses[0] },
}));
const page = answers(() => ({ content: { 'text/html': 'A page for people.' } }));

const operation = (
  path: string,
  operationId: string,
  summary: string,
  description: string,
  described: HttpOperation['answers'],
): HttpOperation => ({
  method: 'get',
  kind: 'read',
  access: 'anonymous',
  path,
  operationId,
  summary,
  description,
  answers: described,
  isProcessEndpoint: true,
  problems: ['malformed_request', 'validation_failed', 'headers_too_large'],
});

/** The definitions of the five health endpoints, for the OpenAPI document. */
export const healthOperations = ({ HealthCheckPath, LivenessPath, ReadinessPath }: HealthPaths) => ({
  overall: operation(
    HealthCheckPath,
    'getHealth',
    'The worst status of all checks, as one word',
    'Includes what the process depends on: a database, or the services behind the gateway. For monitoring; the probes of an orchestrator are liveness and readiness.',
    word,
  ),
  detail: operation(
    `${HealthCheckPath}/detail`,
    'getHealthDetail',
    'The results of all checks',
    'Each check with its status, a sentence for an operator, details and duration. An installation can remove this report from the public port (`Service:Hosting:PublicHealthDetails`).',
    report,
  ),
  page: operation(
    `${HealthCheckPath}/ui`,
    'getHealthPage',
    'The results of all checks as a page',
    'The same as the report, for people. An installation can remove this page from the public port (`Service:Hosting:PublicHealthDetails`).',
    page,
  ),
  liveness: operation(
    LivenessPath,
    'getLiveness',
    'Whether the process works',
    'Only checks of the process itself (tags `self` and `live`), never the database. An orchestrator restarts a process that fails this probe.',
    word,
  ),
  readiness: operation(
    ReadinessPath,
    'getReadiness',
    'Whether the process accepts requests',
    'Only checks with the tag `ready`. Unhealthy while the process starts or drains. An orchestrator sends no requests to a process that fails this probe.',
    word,
  ),
});
