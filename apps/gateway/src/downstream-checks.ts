import type { CheckEntry, HealthCheck, HealthReport } from '@canvass/service-kit';
import { Pool } from 'undici';
import { probePathsOf, type GatewaySettings, type ProbePaths, type ServiceName } from './config';

export interface DownstreamChecks {
  /** One check per service, tagged `downstream`: part of `/health`, never of `/ready` or `/alive`. */
  checks: HealthCheck[];
  close(): Promise<void>;
}

interface Probe {
  /** `down`: not reached, timed out or not ready. `degraded`: ready, but its own health is not Healthy. */
  state: 'up' | 'degraded' | 'down';
  description: string;
  /** The checks of the service that are not Healthy, if it could be asked. */
  failing?: Failing[] | undefined;
}

type Failing = Pick<CheckEntry, 'name' | 'status'> & {
  /** The time that the service gives. */
  since: unknown;
};

type ProbeSettings = ProbePaths & Pick<GatewaySettings, 'HealthTimeoutMs'>;

/**
 * Requests the readiness and the health of each replica of each service. When a replica is not ready or not
 * Healthy, the check of its service, and so the gateway, is Degraded: the routes of the other services still
 * work. The checks are Unhealthy only when no service is ready. The gateway's readiness does not depend on
 * them: to take gateways out of rotation would turn the failure of one service into a failure of all.
 *
 * The checks have their own connections, so that they also reach a saturated service.
 */
export function createDownstreamChecks({
  Services: baseUrls,
  ...settings
}: Pick<GatewaySettings, 'Services' | 'Probes'> & ProbeSettings): DownstreamChecks {
  const names = Object.keys(baseUrls) as ServiceName[];
  const pools = new Map(
    names.map((name) => [
      name,
      baseUrls[name]!.map((url) => new Pool(new URL(url).origin, { connections: 2, pipelining: 1 })),
    ]),
  );

  // The checks of one run start together and share the probes: each needs to know whether all services are
  // down.
  let round: Promise<Map<ServiceName, Probe>> | undefined;
  const probeAll = () =>
    (round ??= Promise.all(
      names.map(async (name) => {
        const paths = probePathsOf(settings, name);
        const probes = pools.get(name)!.map((pool) => probe(pool, { ...settings, ...paths }));
        return [name, combine(await Promise.all(probes))] as const;
      }),
    )
      .then((entries) => new Map(entries))
      .finally(() => (round = undefined)));

  const checks = names.map((name): HealthCheck => ({
    name: checkNames[name],
    tags: ['downstream'],
    async check() {
      const probes = await probeAll();
      const { state, description, failing = [] } = probes.get(name)!;
      if (state === 'up') return { status: 'Healthy', description };
      const allDown = [...probes.values()].every((other) => other.state === 'down');
      return { status: allDown ? 'Unhealthy' : 'Degraded', description, data: { failing } };
    },
  }));
  return {
    checks,
    async close() {
      await Promise.all([...pools.values()].flat().map((pool) => pool.destroy()));
    },
  };
}

/** The state of a service with several replicas. It is down when all of them are. */
function combine(replicas: readonly Probe[]): Probe {
  const [first] = replicas;
  if (replicas.length === 1) return first!;
  const unhealthy = replicas.filter(({ state }) => state !== 'up');
  if (unhealthy.length === 0) return { state: 'up', description: `${replicas.length} replicas are ready.` };
  const isDown = replicas.every(({ state }) => state === 'down');
  return {
    state: isDown ? 'down' : 'degraded',
    description: `${unhealthy.length} of ${replicas.length} replicas are unhealthy. One of them: ${unhealthy[0]!.description}`,
    failing: unhealthy[0]!.failing,
  };
}

async function probe(pool: Pool, settings: ProbeSettings): Promise<Probe> {
  const signal = AbortSignal.timeout(settings.HealthTimeoutMs);
  const ask = async (path: string) => {
    const { statusCode, body } = await pool.request({ method: 'GET', path, signal });
    return { status: statusCode, text: await body.text() };
  };
  try {
    // The report, not the one-word status: a service may have its own response writer for that.
    const [ready, health] = await Promise.all([
      ask(settings.ReadinessPath),
      ask(`${settings.HealthCheckPath}/detail`),
    ]);
    const report = reportIn(health.text);
    const failing = failingIn(report);
    if (ready.status !== 200) {
      return {
        state: 'down',
        description: `Not ready: its readiness probe returned ${ready.status}.`,
        failing,
      };
    }
    const healthy = health.status === 200 && report.status !== 'Degraded';
    if (healthy) return { state: 'up', description: 'Ready.' };
    const word = health.status === 200 ? 'Degraded' : 'Unhealthy';
    return {
      state: 'degraded',
      description: `Ready, but it reports ${word}. Its health page has the reason.`,
      failing,
    };
  } catch {
    const description = signal.aborted
      ? `No answer within ${settings.HealthTimeoutMs} ms.`
      : 'Cannot be reached.';
    return { state: 'down', description };
  }
}

/** A health report; without members for any other text. */
function reportIn(text: string): Partial<HealthReport> {
  try {
    return (JSON.parse(text) as Partial<HealthReport> | null) ?? {};
  } catch {
    return {};
  }
}

const failingIn = ({ checks }: Partial<HealthReport>): Failing[] =>
  Array.isArray(checks)
    ? checks
        .filter(({ status }) => status !== 'Healthy')
        .map(({ name, status, data }) => ({ name, status, since: data['since'] }))
    : [];

const checkNames: Record<ServiceName, string> = {
  Submissions: 'submissions-svc',
  DataLists: 'datalists-svc',
  Identity: 'identity-svc',
  WebHookRelay: 'webhook-relay-svc',
};
