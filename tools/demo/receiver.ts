/**
 * The demo's webhook receiver, a process of its own: it verifies every request with the `standardwebhooks` package,
 * answers 500 to the first try of one message, and tells its parent what it saw.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** From the parent: the signing secret of the endpoint behind a path, and the API key it must send. */
export interface ReceiverSecret {
  path: string;
  secret: string;
  apiKey: { header: string; value: string } | null;
}

/** To the parent: one request as the receiver saw it. */
export interface ReceivedDelivery {
  path: string;
  hookId: string;
  event: string;
  /** Names the entity and revision, as the payload does. */
  payload: Record<string, unknown>;
  /** 1 for the first time this path saw this hook id. */
  tryNumber: number;
  answered: number;
  verified: boolean;
  fault: string | null;
  at: string;
}

export type ReceiverMessage =
  { kind: 'listening'; url: string } | { kind: 'delivery'; delivery: ReceivedDelivery };

const secrets = new Map<string, ReceiverSecret>();
const tries = new Map<string, number>();
let refusedOnce = false;

process.on('message', (secret: ReceiverSecret) => secrets.set(secret.path, secret));
process.on('disconnect', () => process.exit(0));

function tell(message: ReceiverMessage): void {
  process.send?.(message);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}

/** Why the request is not to be trusted, or null. */
function faultOf(
  request: IncomingMessage,
  body: string,
  expected: ReceiverSecret | undefined,
): string | null {
  if (!expected) return 'no secret is known for this path';
  try {
    new Webhook(expected.secret).verify(body, {
      'webhook-id': header(request, 'webhook-id'),
      'webhook-timestamp': header(request, 'webhook-timestamp'),
      'webhook-signature': header(request, 'webhook-signature'),
    });
  } catch (error) {
    return `signature: ${(error as Error).message}`;
  }
  const message = JSON.parse(body) as { Id: string; EventName: string };
  if (message.Id !== header(request, 'x-service-hook-id'))
    return 'X-Service-Hook-Id is not the Id of the body';
  if (message.EventName !== header(request, 'x-service-event')) return 'X-Service-Event is not EventName';
  const { apiKey } = expected;
  if (apiKey && header(request, apiKey.header.toLowerCase()) !== apiKey.value)
    return 'the API key is missing';
  return null;
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '/';
  const body = await readBody(request);
  const hookId = header(request, 'x-service-hook-id');
  const event = header(request, 'x-service-event');
  const tryNumber = (tries.get(`${path} ${hookId}`) ?? 0) + 1;
  tries.set(`${path} ${hookId}`, tryNumber);

  const fault = faultOf(request, body, secrets.get(path));
  const refuse = fault === null && !refusedOnce && event === 'submission_completed';
  if (refuse) refusedOnce = true;
  const answered = fault !== null ? 401 : refuse ? 500 : 200;
  response.writeHead(answered).end();
  const parsed =
    fault === null ? (JSON.parse(body) as { Payload: Record<string, unknown> }) : { Payload: {} };
  tell({
    kind: 'delivery',
    delivery: {
      path,
      hookId,
      event,
      payload: parsed.Payload,
      tryNumber,
      answered,
      verified: fault === null,
      fault,
      at: new Date().toISOString(),
    },
  });
}

const server = createServer((request, response) => {
  receive(request, response).catch((error: unknown) => {
    console.error(error);
    response.destroy();
  });
});
server.listen(0, '127.0.0.1', () => {
  tell({ kind: 'listening', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
