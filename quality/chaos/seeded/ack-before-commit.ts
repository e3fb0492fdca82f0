import type { IncomingMessage, Outcome } from '@canvass/messaging';

/** The replaced module, as far as the bug is concerned. */
interface EventConsumers {
  eventConsumer(deps: unknown): (message: IncomingMessage) => Promise<Outcome>;
}

/** SEEDED BUG: the message is acked at once, and the deliveries are committed some time later, or never. */
export function seed(original: EventConsumers): EventConsumers {
  return {
    eventConsumer(deps) {
      const handle = original.eventConsumer(deps);
      return (message) => {
        handle(message).catch(() => undefined);
        return Promise.resolve('ack');
      };
    },
  };
}
