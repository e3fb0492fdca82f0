import { webhookSink } from '@canvass/testing';
import { Webhook } from 'standardwebhooks';

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
  /** The signing secrets of the endpoints, by path. */
  secrets: Map<string, string>;
  stop(): Promise<void>;
}

/**
 * Starts the webhook receiver of the demo. It verifies every request with the `standardwebhooks` package
 * and answers 500 to the first attempt of one message.
 */
export async function startReceiver(): Promise<Receiver> {
  const secrets = new Map<string, string>();
  const deliveries: ReceivedDelivery[] = [];
  const sink = await webhookSink();
  sink.respond(({ path, headers, body, at }) => {
    const [hookId = '', event = ''] = [headers['x-service-hook-id'], headers['x-service-event']];
    const tries = deliveries.filter((earlier) => earlier.path === path && earlier.hookId === hookId);
    const isFirst = event === 'submission_completed' && !deliveries.some(({ answered }) => answered === 500);
    const seen = { path, hookId, event, tryNumber: tries.length + 1, at: at.toISOString() };
    try {
      const verified = new Webhook(secrets.get(path) ?? '').verify(body.toString('utf8'), headers);
      const { Payload: payload } = verified as { Payload: Record<string, unknown> };
      deliveries.push({ ...seen, payload, fault: null, answered: isFirst ? 500 : 200 });
    } catch (error) {
      deliveries.push({ ...seen, payload: {}, fault: (error as Error).message, answered: 401 });
    }
    return { status: deliveries.at(-1)!.answered };
  });
  return { url: sink.url, deliveries, secrets, stop: () => sink.close() };
}
