import { pathPrefix } from '../base';
import { readConfiguration } from './configuration';
import { faultOf, noAnswer } from './fault';

export type HealthStatus = 'Healthy' | 'Degraded' | 'Unhealthy';

/** A check of a service that fails. */
interface Failing {
  name: string;
  status: HealthStatus;
  since?: string;
}

/** The check of a service by the gateway. If it fails, `since` when, and what fails in the service itself. */
export interface ServiceCheck {
  name: string;
  status: HealthStatus;
  description: string | null;
  duration: string;
  data: { since?: string; failing?: readonly Failing[] };
}

/** The report of the gateway about itself and the services. */
export interface HealthReport {
  status: HealthStatus;
  checks: ServiceCheck[];
}

/** Reads the report. It needs no token. @throws {Fault} */
export async function readHealth(signal?: AbortSignal): Promise<HealthReport> {
  const { healthDetailPath } = await readConfiguration();
  const response = await fetch(pathPrefix + healthDetailPath, { signal: signal ?? null }).catch(
    (error: unknown) => {
      throw signal?.aborted === true ? error : noAnswer();
    },
  );
  // An unhealthy report is a 503, too.
  const isReport = response.headers.get('content-type')?.startsWith('application/json') === true;
  if (!isReport) throw await faultOf(response);
  return (await response.json()) as HealthReport;
}

/** A dependency that does not work, and since when: `database`, `rabbitmq` or a service by its name. */
export interface Outage {
  name: string;
  since: string;
}

/** The cause of a failed check: a dependency of its service, or the service if that cannot say. */
function causesOf({ name, data: { since, failing = [] } }: ServiceCheck): Outage[] {
  if (since === undefined) return [];
  if (failing.length === 0) return [{ name, since }];
  return failing.flatMap((check) => {
    // A database that is only busy is Degraded.
    if (check.name.endsWith('database') && check.status === 'Unhealthy')
      return [{ name: 'database', since: check.since ?? since }];
    return check.name === 'rabbitmq' ? [{ name: check.name, since: check.since ?? since }] : [];
  });
}

/** What does not work, each once with the earliest time. */
export function outagesOf(report: HealthReport | null | undefined): Outage[] {
  const causes = (report?.checks ?? []).flatMap(causesOf).sort((a, b) => a.since.localeCompare(b.since));
  return causes.filter(({ name }, index) => causes.findIndex((other) => other.name === name) === index);
}
