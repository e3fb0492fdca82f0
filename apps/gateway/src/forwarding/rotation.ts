import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'undici';
import type { GatewaySettings } from '../config';
import type { Copy } from './copy';
import { isRefused } from './failure';

export type RotationSettings = Pick<
  GatewaySettings,
  'ReadinessPath' | 'ReadinessIntervalMs' | 'HealthTimeoutMs'
>;

/** Keeps `inRotation` of each copy true to what it says of itself, until closed. */
export interface ReadinessWatch {
  close(): Promise<void>;
}

/**
 * Asks each copy again and again whether it is ready, over a connection of its own. One that is stopping says no before
 * it refuses connections, so that no request meets a closed door; one that comes back is not found out by a request of
 * a client. Silence says nothing: a copy that is merely slow keeps its share until its breaker opens.
 */
export function watchReadiness(copies: readonly Copy[], settings: RotationSettings): ReadinessWatch {
  const watches = copies.map((copy) => watchCopy(copy, settings));
  return {
    async close() {
      await Promise.all(watches.map((watch) => watch.close()));
    },
  };
}

function watchCopy(copy: Copy, settings: RotationSettings): ReadinessWatch {
  const client = new Client(copy.origin, { connect: { timeout: settings.HealthTimeoutMs } });
  const closing = new AbortController();
  const ask = async () => {
    const signal = AbortSignal.timeout(settings.HealthTimeoutMs);
    const answer = await client.request({ method: 'GET', path: settings.ReadinessPath, signal });
    await answer.body.dump();
    copy.inRotation = answer.statusCode === 200;
  };
  const pause = { signal: closing.signal, ref: false };
  const loop = async () => {
    while (!closing.signal.aborted) {
      await ask().catch((error: unknown) => {
        if (isRefused(error)) copy.inRotation = false;
      });
      await delay(settings.ReadinessIntervalMs, undefined, pause).catch(() => undefined);
    }
  };
  const ended = loop();
  return {
    async close() {
      closing.abort();
      await client.destroy();
      await ended;
    },
  };
}
