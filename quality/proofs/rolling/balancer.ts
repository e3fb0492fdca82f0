import { setTimeout as sleep } from 'node:timers/promises';
import { apiOf, type Api } from '@canvass/testing';

const probeMs = 100;

/**
 * Sends requests to several gateways as a load balancer does: it probes `/ready` of each, sends requests in
 * turn to those that are ready, and to another one if a connection is refused. It repeats nothing that was
 * sent.
 */
export class Balancer {
  private readonly gateways: { origin: string; ready: boolean }[];
  private turn = 0;
  private closing = false;
  private readonly probing: Promise<unknown>;
  /** Requests whose first connection was refused. */
  refused = 0;

  constructor(origins: readonly string[]) {
    this.gateways = origins.map((origin) => ({ origin, ready: true }));
    this.probing = Promise.all(this.gateways.map((gateway) => this.probe(gateway)));
  }

  /** Returns a client of the gateways. Its calls throw if there is no answer. */
  client(token?: string): Api {
    return apiOf(this.gateways[0]!.origin, token, (request) => this.send(request));
  }

  /** Gateways that are ready, another one first at each call. */
  private candidates(): { origin: string }[] {
    this.turn += 1;
    const ready = this.gateways.filter((gateway) => gateway.ready);
    const found = ready.length > 0 ? ready : this.gateways;
    const first = this.turn % found.length;
    return [...found.slice(first), ...found.slice(0, first)];
  }

  async close(): Promise<void> {
    this.closing = true;
    await this.probing;
  }

  private async send(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = request.body === null ? null : await request.text();
    const candidates = this.candidates();
    for (;;) {
      try {
        return await fetch(candidates.shift()!.origin + pathname + search, { method, headers, body });
      } catch (error) {
        const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
        if (code !== 'ECONNREFUSED' || candidates.length === 0) throw error;
        this.refused += 1;
      }
    }
  }

  private async probe(gateway: { origin: string; ready: boolean }): Promise<void> {
    while (!this.closing) {
      const answer = await fetch(`${gateway.origin}/ready`).catch(() => null);
      await answer?.text().catch(() => undefined);
      gateway.ready = answer?.status === 200;
      await sleep(probeMs);
    }
  }
}
