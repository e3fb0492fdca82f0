import { queues } from '@canvass/contracts';
import type { Broker, Consumer, IncomingMessage, Outcome } from '@canvass/messaging';

/** Events in hand whatever their size: with bodies of 4 MiB these are 64 MiB. */
const always = 16;
/** Further events while bodies are small, so that groups are larger and cost less. */
const whileSmall = 48;
const largeBytes = 256 * 1024;
/** Small bodies in a row after which more events are taken. */
const smallInARow = 200;

/**
 * Consumes the events, a few at once. RabbitMQ knows no limit in bytes, so there are two consumers, and the
 * second one runs only while bodies are small. The first large body stops it: what RabbitMQ has sent to it is
 * dropped unread and delivered again.
 */
export function takeEvents(
  broker: Pick<Broker, 'consume'>,
  handler: (message: IncomingMessage) => Promise<Outcome>,
): Consumer {
  let small = 0;
  let further: Consumer | undefined;
  let isStopped = false;

  function handle(message: IncomingMessage): Promise<Outcome> {
    if (message.body.length >= largeBytes) {
      void further?.stop();
      [small, further] = [0, undefined];
    } else if (++small === smallInARow && !isStopped)
      further = broker.consume(queues.webhookEvents, { prefetch: whileSmall }, handle);
    return handler(message);
  }

  const first = broker.consume(queues.webhookEvents, { prefetch: always }, handle);
  return {
    async stop() {
      isStopped = true;
      await Promise.all([first.stop(), further?.stop()]);
    },
  };
}
