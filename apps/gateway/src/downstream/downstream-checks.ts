import type { HealthCheck } from '@canvass/service-kit';
import { Pool } from 'undici';
import { probePathsOf, type GatewaySettings, type ProbePaths, type ServiceName } from '../config';

export interface DownstreamChecks {
  /** One check per service, tagged `downstream`: part of `/health`, never of `/ready` or `/alive`. */
  checks: HealthCheck[];
  close(): Promise<void>;
}

interface Probe {
  /** `down`: not reached, silent or not ready. `degraded`: it serves, but says itself that something is wrong. */
  state: 'up' | 'degraded' | 'down';
  description: string;
}

type ProbeSettings = ProbePaths & Pick<GatewaySettings, 'HealthTimeoutMs'>;

/**
 * Asks each service's readiness and overall health, of every copy it has. A service of which a copy is not ready, or
 * reports less than Healthy, makes its check, and so the gateway, Degraded: the other services' routes still work. Only when no service at all is
 * ready is each of them Unhealthy. The gateway's own readiness does not depend on any of them: taking gateways out of
 * rotation would turn one service's fault into a fault of all.
 *
 * Connections of its own, so that a service saturated by traffic is still asked.
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

  // The checks of one run start together and share one round of probes: each must know whether all are down.
  let round: Promise<Map<ServiceName, Probe>> | undefined;
  const probeAll = () =>
    (round ??= Promise.all(
      names.map(async (name) => {
        const paths = probePathsOf(settings, name);
        const probes = pools.get(name)!.map((pool) => probe(pool, { ...settings, ...paths }));
        return [name, together(await Promise.all(probes))] as const;
      }),
    )
      .then((entries) => new Map(entries))
      .finally(() => (round = undefined)));

  const checks = names.map((name): HealthCheck => ({
    name: checkNames[name],
    tags: ['downstream'],
    async check() {
      const probes = await probeAll();
      const { state, description } = probes.get(name)!;
      if (state === 'up') return { status: 'Healthy', description };
      const allDown = [...probes.values()].every((other) => other.state === 'down');
      return { status: allDown ? 'Unhealthy' : 'Degraded', description };
    },
  }));
  return {
    checks,
    async close() {
      await Promise.all([...pools.values()].flat().map((pool) => pool.destroy()));
    },
  };
}

/** What the copies of one service come to: it is down when all are. */
function together(copies: readonly Probe[]): Probe {
  const [first] = copies;
  if (copies.length === 1) return first!;
  const unwell = copies.filter(({ state }) => state !== 'up');
  if (unwell.length === 0) return { state: 'up', description: `${copies.length} copies are ready.` };
  const isDown = copies.every(({ state }) => state === 'down');
  return {
    state: isDown ? 'down' : 'degraded',
    description: `${unwell.length} of ${copies.length} copies are not well. One of them: ${unwell[0]!.description}`,
  };
}

async function probe(pool: Pool, settings: ProbeSettings): Promise<Probe> {
  const signal = AbortSignal.timeout(settings.HealthTimeoutMs);
  const ask = async (path: string) => {
    const { statusCode, body } = await pool.request({ method: 'GET', path, signal });
    return { status: statusCode, text: await body.text() };
  };
  try {
    // The report and not the word: a service may have a response writer of its own.
    const [ready, health] = await Promise.all([
      ask(settings.ReadinessPath),
      ask(`${settings.HealthCheckPath}/detail`),
    ]);
    if (ready.status !== 200) {
      return { state: 'down', description: `Not ready: its readiness probe answered ${ready.status}.` };
    }
    const healthy = health.status === 200 && statusIn(health.text) !== 'Degraded';
    if (healthy) return { state: 'up', description: 'Ready.' };
    const word = health.status === 200 ? 'Degraded' : 'Unhealthy';
    return { state: 'degraded', description: `Ready, but it reports ${word}; its own health page says why.` };
  } catch {
    const description = signal.aborted
      ? `No answer within ${settings.HealthTimeoutMs} ms.`
      : 'Cannot be reached.';
    return { state: 'down', description };
  }
}

/** `status` of a health report; undefined for another text. */
function statusIn(report: string): unknown {
  try {
    return (JSON.parse(report) as { status?: unknown } | null)?.status;
  } catch {
    return undefined;
  }
}

const checkNames: Record<ServiceName, string> = {
  Submissions: 'submissions-svc',
  DataLists: 'datalists-svc',
  Identity: 'identity-svc',
  WebHookRelay: 'webhook-relay-svc',
};
