import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client';

const lookMs = 200;

/**
 * Waits until all copies of all services serve, and looks meanwhile at what keeps them back.
 *
 * @returns how many containers ran while their startup probe had not succeeded, and how many of those that had
 * started were kept from requests by their readiness probe
 */
export async function startUp(client: Client): Promise<{ startup: number; readiness: number }> {
  const keptBack = { startup: new Set<string>(), readiness: new Set<string>() };
  let isComplete = false;
  const complete = client.untilComplete().finally(() => (isComplete = true));
  while (!isComplete) {
    for (const { metadata, status } of await client.pods().catch(() => [])) {
      const [container] = status.containerStatuses ?? [];
      if (container?.state.running === undefined || container.ready) continue;
      keptBack[container.started ? 'readiness' : 'startup'].add(metadata.name);
    }
    await sleep(lookMs);
  }
  await complete;
  return { startup: keptBack.startup.size, readiness: keptBack.readiness.size };
}
