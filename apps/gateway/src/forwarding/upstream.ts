import { every } from '@canvass/async';
import { Client } from 'undici';
import type { GatewaySettings } from '../config';
import { isRefused } from './outcome';
import { Replica, type ReplicaSettings } from './replica';

type ReadinessSettings = Pick<GatewaySettings, 'ReadinessPath' | 'ReadinessIntervalMs' | 'HealthTimeoutMs'>;

export type UpstreamSettings = ReplicaSettings & ReadinessSettings;

/** A service: one replica (or a load balancer in front of all), or several that the gateway chooses from. */
export interface Upstream {
  /** Returns whether `choose` would return a replica now. */
  readonly isAvailable: boolean;
  /**
   * The replica to send a request to: the healthy one with the fewest requests in flight, in turn among
   * equals. A replica whose circuit is half-open comes first. Null when every circuit is open.
   */
  choose(except?: ReadonlySet<Replica>): Replica | null;
  /** Takes a replica out of rotation until it reports that it is ready. Without effect on the only one. */
  removeFromRotation(replica: Replica): void;
  /** Sums of all replicas: requests on connections, requests that wait for one, and open circuits. */
  load(): { running: number; queued: number; openCircuits: number };
  /** Breaks the event streams of all replicas, so that the gateway can stop. */
  endStreams(): Promise<void>;
  close(): Promise<void>;
}

const none: ReadonlySet<Replica> = new Set();

export function createUpstream(baseUrls: readonly string[], settings: UpstreamSettings): Upstream {
  const replicas = baseUrls.map((url) => new Replica(new URL(url).origin, settings));
  const probes = replicas.length > 1 ? replicas.map((replica) => probeReadiness(replica, settings)) : [];
  let turn = 0;

  function leastBusy(except: ReadonlySet<Replica>, isFit: (replica: Replica) => boolean): Replica | null {
    let best: Replica | null = null;
    for (let index = 0; index < replicas.length; index += 1) {
      const replica = replicas[(turn + index) % replicas.length]!;
      if (except.has(replica) || !isFit(replica)) continue;
      if (best === null || replica.inFlight < best.inFlight) best = replica;
    }
    return best;
  }
  /** Ready, with an open circuit whose time for a probe has come. */
  const isHalfOpen = ({ inRotation, breaker }: Replica) => inRotation && breaker.isOpen && breaker.admits();
  const isHealthy = ({ inRotation, breaker }: Replica) => inRotation && !breaker.isOpen;
  return {
    get isAvailable() {
      return replicas.some(({ breaker }) => breaker.wouldAdmit);
    },
    choose(except = none) {
      turn = (turn + 1) % replicas.length;
      return (
        replicas.find((replica) => !except.has(replica) && isHalfOpen(replica)) ??
        leastBusy(except, isHealthy) ??
        // No replica is ready. One gets the request all the same, so that callers get the service's own
        // response.
        leastBusy(except, ({ breaker }) => !breaker.isOpen) ??
        replicas.find((replica) => !except.has(replica) && replica.breaker.admits()) ??
        null
      );
    },
    removeFromRotation(replica) {
      if (replicas.length > 1) replica.inRotation = false;
    },
    load() {
      const queued = replicas.reduce((sum, replica) => sum + replica.queued, 0);
      const inFlight = replicas.reduce((sum, replica) => sum + replica.inFlight, 0);
      const openCircuits = replicas.filter(({ breaker }) => breaker.isOpen).length;
      return { running: inFlight - queued, queued, openCircuits };
    },
    async endStreams() {
      await Promise.all(replicas.map((replica) => replica.endStreams()));
    },
    async close() {
      await Promise.all([...probes, ...replicas].map((each) => each.close()));
    },
  };
}

/**
 * Requests the readiness of a replica at an interval, over a connection of its own, and sets `inRotation`. A
 * replica that stops reports it before it refuses connections, and requests of clients do not have to find
 * out that it is back. A readiness timeout changes nothing: a slow replica stays in rotation until its
 * circuit opens.
 */
function probeReadiness(replica: Replica, settings: ReadinessSettings): { close(): Promise<void> } {
  const client = new Client(replica.origin, { connect: { timeout: settings.HealthTimeoutMs } });
  const probe = async () => {
    const signal = AbortSignal.timeout(settings.HealthTimeoutMs);
    const response = await client.request({ method: 'GET', path: settings.ReadinessPath, signal });
    await response.body.dump();
    replica.inRotation = response.statusCode === 200;
  };
  const loop = every(settings.ReadinessIntervalMs, probe, {
    atOnce: true,
    onError(error) {
      if (isRefused(error)) replica.inRotation = false;
    },
  });
  loop.start();
  return {
    async close() {
      const ended = loop.stop();
      await client.destroy();
      await ended;
    },
  };
}
