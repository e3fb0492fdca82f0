import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@canvass/testing';

/** An endpoint as the relay shows it. */
export interface ShownEndpoint {
  id: string;
  scopeId: string;
}

/** Waits until the relay has heard of so many endpoints, so that no measured event has to fetch settings. */
export async function settledEndpoints(client: Client, count: number): Promise<ShownEndpoint[]> {
  for (const deadline = Date.now() + 30_000; ; await sleep(100)) {
    const { items } = await client.get<{ items: ShownEndpoint[] }>('/api/webhooks/endpoints?pageSize=200');
    if (items.length >= count) return items;
    if (Date.now() > deadline) throw new Error(`the relay knows ${items.length} of ${count} endpoints`);
  }
}
