import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { checkoutDir } from '@canvass/infra';

const bundle = path.join(checkoutDir, 'dist/apps/gateway/main.js');
const pageBytes = 4096;

/** A built gateway in a process of its own, before one service. */
export class GatewayProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    private readonly internalPort: number,
  ) {}

  /** @param hosting keys of `Service:Hosting` */
  static async start(serviceUrl: string, hosting: Record<string, string>): Promise<GatewayProcess> {
    const settings = {
      Hosting__Host: '127.0.0.1',
      Hosting__Port: '0',
      Hosting__InternalPort: '0',
      ...Object.fromEntries(Object.entries(hosting).map(([key, value]) => [`Hosting__${key}`, value])),
      ...Object.fromEntries(
        ['Submissions', 'DataLists', 'WebHookRelay'].map((name) => [
          `Gateway__Services__${name}`,
          serviceUrl,
        ]),
      ),
      // The other clients come all from one address.
      Gateway__RateLimits__PerAddress: '0',
    };
    const env = Object.fromEntries(
      Object.entries(settings).map(([key, value]) => [`Service__${key}`, value]),
    );
    const child = spawn(process.execPath, [bundle], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const listening = new Promise<GatewayProcess>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (!line.includes('"listening"')) return;
        const { port, internalPort } = JSON.parse(line) as { port: number; internalPort: number };
        resolve(new GatewayProcess(child, port, internalPort));
      });
    });
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('The gateway did not start.')));
    ended.catch(() => undefined);
    return Promise.race([listening, ended]);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  residentBytes(): number {
    return Number(readFileSync(`/proc/${this.child.pid}/statm`, 'utf8').split(' ')[1]) * pageBytes;
  }

  /** As the gateway itself counts them. */
  async openConnections(): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${this.internalPort}/metrics`)).text();
    const line = text.split('\n').find((each) => each.startsWith('http_open_connections{port="public"'));
    return Number(line?.split(' ').at(-1));
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }
}
