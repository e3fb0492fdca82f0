import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReceivedHook } from '../records';
import { markerOf } from './markers';

export type Behaviour = 'well' | 'fail' | 'hang' | 'drip';

/** Path of a receiver's address by its number. */
export const pathOf = (endpoint: number): string => `/r/${endpoint}`;

interface Open {
  response: ServerResponse;
  timer?: NodeJS.Timeout;
}

/** The receivers of all webhooks: one server, one path per endpoint, each well or ill in its own way. */
export class Receivers {
  private readonly server: Server;
  private readonly behaviours = new Map<string, Behaviour>();
  private readonly open = new Map<string, Set<Open>>();
  private port = 0;

  constructor(private readonly record: (hook: ReceivedHook) => void) {
    this.server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
      this.receive(request, response).catch(() => response.destroy());
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  urlOf(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** From now on; whatever it let hang before is cut off when it gets well. */
  become(endpoint: number, behaviour: Behaviour): void {
    const path = pathOf(endpoint);
    this.behaviours.set(path, behaviour);
    for (const { response, timer } of this.open.get(path) ?? []) {
      clearInterval(timer);
      if (timer) response.end();
      else response.destroy();
    }
    this.open.delete(path);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const path = request.url ?? '/';
    const behaviour = this.behaviours.get(path) ?? 'well';
    const answered = { well: 200, fail: 500, hang: null, drip: 200 }[behaviour];
    this.record({ at: Date.now(), path, answered, ...readHook(request, body) });
    if (behaviour === 'hang') this.keepOpen(path, { response });
    else if (behaviour === 'drip') {
      response.writeHead(200, { 'content-type': 'text/plain' });
      this.keepOpen(path, { response, timer: setInterval(() => response.write('.'), 200) });
    } else response.writeHead(answered ?? 500).end();
  }

  private keepOpen(path: string, entry: Open): void {
    const entries = this.open.get(path) ?? new Set<Open>();
    this.open.set(path, entries.add(entry));
    entry.response.once('close', () => {
      clearInterval(entry.timer);
      entries.delete(entry);
    });
  }
}

function readHook(request: IncomingMessage, body: Buffer): Omit<ReceivedHook, 'at' | 'path' | 'answered'> {
  const header = (name: string) => String(request.headers[name] ?? '');
  const message = JSON.parse(body.toString('utf8')) as { Payload: Record<string, unknown> };
  const { submissionId, formId, revision } = message.Payload;
  return {
    hookId: header('x-service-hook-id'),
    event: header('x-service-event'),
    entityId: String(submissionId ?? formId),
    revision: String(revision),
    marker: markerOf(submissionId === undefined ? 'form' : 'submission', message.Payload),
    digest: createHash('sha256').update(body).digest('base64'),
  };
}
