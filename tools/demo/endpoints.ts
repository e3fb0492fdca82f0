/** The webhook receivers of the demonstration tenant: some answer, one is slow, one fails. */
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';
import { PortBook } from '../infra';
import type { DemoForm } from './tenant-forms';

const name = 'demo-endpoints';
const product = 'canvass-demo';

export interface DemoEndpoints {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts the receivers on the port that this stack remembers, so that saved settings stay right. If those of
 * another process listen there, they are used, and `close` leaves them. They do not keep this process running.
 *
 * @param dir folder of the stack
 */
export async function startEndpoints(dir: string): Promise<DemoEndpoints> {
  const ports = new PortBook(path.join(dir, 'ports.json'));
  const known = ports.remembered(name);
  if (known !== undefined && (await isOurs(known)))
    return { url: urlOf(known), close: () => Promise.resolve() };
  const port = await ports.take(name);
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      answer(request.url ?? '', response).catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  server.unref();
  return {
    url: urlOf(port),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const urlOf = (port: number) => `http://127.0.0.1:${port}`;

async function isOurs(port: number): Promise<boolean> {
  const answered = await fetch(urlOf(port), { signal: AbortSignal.timeout(2_000) }).catch(() => null);
  return answered?.headers.get('server') === product;
}

/** Answers as a receiver, by its path. `/staff-portal` would answer, but is disabled. */
async function answer(target: string, response: ServerResponse): Promise<void> {
  response.setHeader('server', product);
  response.setHeader('content-type', 'application/json');
  if (target === '/warehouse') await sleep(2_500);
  if (target === '/newsletter') {
    response.writeHead(503, { 'retry-after': '120' });
    response.end('{"error":"maintenance","message":"The list server is being updated."}\n');
    return;
  }
  response.end('{"ok":true}\n');
}

/** Webhook settings of a form (`webHookSettingsJson`): completed submissions go to each of its receivers. */
export const settingsOf = ({ webhooks }: DemoForm, url: string): string =>
  JSON.stringify({
    Events: {
      SubmissionCompleted: {
        IsEnabled: true,
        WebHookEndpoints: webhooks.map((receiver) => ({
          Url: `${url}/${receiver}`,
          Authentication: { Type: 'None' },
        })),
      },
    },
  });
