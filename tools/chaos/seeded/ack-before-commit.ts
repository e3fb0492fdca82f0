import type { IncomingMessage, Outcome } from '@canvass/messaging';
import * as original from '../../../apps/webhook-relay-svc/src/fan-out/consume-event';

/** SEEDED BUG: the message is acked at once, and the deliveries are committed some time later, or never. */
export function eventConsumer(
  deps: original.EventConsumerDeps,
): (message: IncomingMessage) => Promise<Outcome> {
  const handle = original.eventConsumer(deps);
  return (message) => {
    handle(message).catch(() => undefined);
    return Promise.resolve('ack');
  };
}
