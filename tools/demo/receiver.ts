import { webhookSink, type ReceivedRequest } from '@canvass/testing';
import { Webhook } from 'standardwebhooks';

/** The signing secret of the endpoint behind a path, and the API key it must send. */
interface ReceiverSecret {
  path: string;
  secret: string;
  apiKey: { header: string; value: string } | null;
}

/** One request as the receiver saw it. */
export interface ReceivedDelivery {
  path: string;
  hookId: string;
  event: string;
  /** Names the entity and revision; empty if the request was not verified. */
  payload: Record<string, unknown>;
  /** 1 for the first time this path saw this hook id. */
  tryNumber: number;
  answered: number;
  /** The reason why it must not be trusted; null for a verified request. */
  fault: string | null;
  at: string;
}

export interface Receiver {
  url: string;
  deliveries: readonly ReceivedDelivery[];
  trust(secret: ReceiverSecret): void;
  stop(): Promise<void>;
}

/**
 * Starts the webhook receiver of the demo. It verifies every request with the `standardwebhooks` package
 * and answers 500 to the first attempt of one message.
 */
export async function startReceiver(): Promise<Receiver> {
  const secrets = new Map<string, ReceiverSecret>();
  const deliveries: ReceivedDelivery[] = [];
  const sink = await webhookSink();
  sink.respond((request) => {
    const { path, headers } = request;
    const hookId = headers['x-service-hook-id'] ?? '';
    const event = headers['x-service-event'] ?? '';
    const tries = deliveries.filter((earlier) => earlier.path === path && earlier.hookId === hookId);
    const fault = faultOf(request, secrets.get(path));
    const isRefused =
      event === 'submission_completed' && !deliveries.some(({ answered }) => answered === 500);
    const status = fault !== null ? 401 : isRefused ? 500 : 200;
    const payload = fault === null ? messageOf(request).Payload : {};
    const at = request.at.toISOString();
    deliveries.push({
      path,
      hookId,
      event,
      payload,
      tryNumber: tries.length + 1,
      answered: status,
      fault,
      at,
    });
    return { status };
  });
  return {
    url: sink.url,
    deliveries,
    trust: (secret) => secrets.set(secret.path, secret),
    stop: () => sink.close(),
  };
}

interface Message {
  Id: string;
  EventName: string;
  Payload: Record<string, unknown>;
}

const messageOf = ({ body }: ReceivedRequest) => JSON.parse(body.toString('utf8')) as Message;

/** The reason why the request must not be trusted, or null. */
function faultOf(request: ReceivedRequest, expected: ReceiverSecret | undefined): string | null {
  if (!expected) return 'no secret is known for this path';
  const { body, headers } = request;
  try {
    new Webhook(expected.secret).verify(body.toString('utf8'), headers);
  } catch (error) {
    return `signature: ${(error as Error).message}`;
  }
  const message = messageOf(request);
  if (message.Id !== headers['x-service-hook-id']) return 'X-Service-Hook-Id is not the Id of the body';
  if (message.EventName !== headers['x-service-event']) return 'X-Service-Event is not EventName';
  const { apiKey } = expected;
  if (apiKey && headers[apiKey.header.toLowerCase()] !== apiKey.value) return 'the API key is missing';
  return null;
}
