import { eventually } from '@canvass/testing';
import type { InfraServer } from '../infra';
import { SupervisedServer } from './supervised-server';

/** A server that lives in memory and dies on any signal. */
function server(): InfraServer & { starts: number } {
  let living = false;
  return {
    url: 'memory:',
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
    async restart() {
      await this.start();
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
    const supervised = new SupervisedServer(
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
    const supervised = new SupervisedServer(
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
