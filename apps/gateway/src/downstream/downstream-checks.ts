import type { HealthCheck } from '@canvass/service-kit';
import { Pool } from 'undici';
import type { GatewaySettings, ServiceName } from '../config';

export interface DownstreamChecks {
  /** One check per service, tagged `downstream`: part of `/health`, never of `/ready` or `/alive`. */
  checks: HealthCheck[];
  close(): Promise<void>;
}

interface Probe {
  ready: boolean;
  description: string;
}

/**
 * Asks each service's readiness. A service that is not ready makes its check, and so the gateway, Degraded: the other
 * services' routes still work. Only when no service at all is ready is each of them Unhealthy. The gateway's own
 * readiness does not depend on any of them: taking gateways out of rotation would turn one service's fault into a
 * fault of all.
 *
 * Connections of its own, so that a service saturated by traffic is still asked.
 */
export function createDownstreamChecks({
  Services: baseUrls,
  ReadinessPath: path,
  HealthTimeoutMs: timeoutMs,
}: Pick<GatewaySettings, 'Services' | 'ReadinessPath' | 'HealthTimeoutMs'>): DownstreamChecks {
  const names = Object.keys(baseUrls) as ServiceName[];
  const pools = new Map(
    names.map((name) => [name, new Pool(new URL(baseUrls[name]!).origin, { connections: 2, pipelining: 1 })]),
  );

  async function probe(pool: Pool): Promise<Probe> {
    try {
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path,
        signal: AbortSignal.timeout(timeoutMs),
      });
      await body.dump({ limit: 16 * 1024 });
      const ready = statusCode === 200;
      return {
        ready,
        description: ready ? 'Ready.' : `Not ready: its readiness probe answered ${statusCode}.`,
      };
    } catch (error) {
      const timedOut = error instanceof Error && error.name === 'TimeoutError';
      return {
        ready: false,
        description: timedOut ? `No answer within ${timeoutMs} ms.` : 'Cannot be reached.',
      };
    }
  }

  // The checks of one run start together and share one round of probes: each must know whether all are down.
  let round: Promise<Map<ServiceName, Probe>> | undefined;
  const probeAll = () =>
    (round ??= Promise.all(names.map(async (name) => [name, await probe(pools.get(name)!)] as const))
      .then((entries) => new Map(entries))
      .finally(() => (round = undefined)));

  const checks = names.map((name): HealthCheck => ({
    name: checkNames[name],
    tags: ['downstream'],
    async check() {
      const probes = await probeAll();
      const { ready, description } = probes.get(name)!;
      if (ready) return { status: 'Healthy', description };
      const someReady = [...probes.values()].some((other) => other.ready);
      return { status: someReady ? 'Degraded' : 'Unhealthy', description };
    },
  }));
  return {
    checks,
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}

const checkNames: Record<ServiceName, string> = {
  Submissions: 'submissions-svc',
  DataLists: 'datalists-svc',
  Identity: 'identity-svc',
  WebHookRelay: 'webhook-relay-svc',
};
