import { eventually } from '@canvass/testing';
import type { Runnable } from '../infra';
import { Supervisor } from './supervisor';

/** A server that lives in memory and dies on any signal. */
function server(): Runnable & { starts: number } {
  let living = false;
  return {
    starts: 0,
    pid: () => (living ? 1 : null),
    alive: () => living,
    async start() {
      this.starts += 1;
      living = true;
    },
    async stop() {
      living = false;
    },
    signal() {
      living = false;
    },
  };
}

describe('a supervised server', () => {
  it('is started again when it dies, with a line that says so', async () => {
    const inner = server();
    const said: string[] = [];
    const supervised = new Supervisor(
      'RabbitMQ',
      inner,
      (line) => said.push(line),
      () => undefined,
    );
    await supervised.start();
    supervised.signal('SIGKILL');
    await eventually(() => expect(inner.starts).toBe(2));
    expect(supervised.alive()).toBe(true);
    expect(said).toEqual(['RabbitMQ ended; starting it again in 0.2 s']);
    await supervised.stop();
  });

  it('stays down between stop and start', async () => {
    const inner = server();
    const supervised = new Supervisor(
      'PostgreSQL',
      inner,
      () => undefined,
      () => undefined,
    );
    await supervised.start();
    await supervised.stop();
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(inner.starts).toBe(1);
    await supervised.start();
    supervised.signal('SIGKILL');
    await eventually(() => expect(inner.starts).toBe(3));
    await supervised.stop();
  });
});
