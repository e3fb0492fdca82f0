import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

interface Answer {
  status: number;
  body: string;
}

interface Door {
  pool: Pool;
  ready: boolean;
}

const askEveryMs = 100;

/**
 * A client of several gateways, as a load balancer is one: it asks each for `/ready`, sends requests in turn to those
 * that say yes, and to another one when a connection was refused. It repeats nothing that was sent.
 */
export class BalancedClient {
  private readonly doors: Door[];
  private turn = 0;
  private closing = false;
  private readonly asking: Promise<unknown>;
  /** Requests whose first connection was refused. */
  refused = 0;

  constructor(origins: readonly string[]) {
    this.doors = origins.map((origin) => ({ pool: new Pool(origin, { connections: 32 }), ready: true }));
    this.asking = Promise.all(this.doors.map((door) => this.watch(door)));
  }

  /** Throws when there is no answer. */
  async request(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    path: string,
    token: string | undefined,
    body?: object,
  ) {
    const options = {
      method,
      path,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    this.turn += 1;
    const ready = this.doors.filter((door) => door.ready);
    const candidates = ready.length > 0 ? ready : this.doors;
    for (let index = 0; ; index += 1) {
      const door = candidates[(this.turn + index) % candidates.length]!;
      try {
        const answer = await door.pool.request(options);
        return { status: answer.statusCode, body: await answer.body.text() } satisfies Answer;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED' || index + 1 >= candidates.length)
          throw error;
        this.refused += 1;
      }
    }
  }

  async close(): Promise<void> {
    this.closing = true;
    await this.asking;
    await Promise.all(this.doors.map(({ pool }) => pool.close()));
  }

  private async watch(door: Door): Promise<void> {
    while (!this.closing) {
      const answer = await door.pool.request({ method: 'GET', path: '/ready' }).catch(() => null);
      await answer?.body.dump();
      door.ready = answer?.statusCode === 200;
      await sleep(askEveryMs);
    }
  }
}
