/** The raw limit of an outbox: the same messages, already in memory, in batches with confirms, and no database. */
import { connect, type ConfirmChannel } from 'amqplib';
import { exchanges, queues } from '@canvass/contracts';
import { envelopeBytes } from '@canvass/outbox';
import { serveApi } from '../child';
import { eventData, eventSettings, eventType } from '../outbox-event';
import { purge } from '../purge';

let channel: ConfirmChannel;
let amqp = '';

const bodyOf = (n: number) =>
  envelopeBytes({
    id: String(n),
    eventId: String(600_000_000_000_000_000n + BigInt(n)),
    eventType,
    tenantId: '1',
    entity: 'submission',
    entityId: String(n),
    formId: '7',
    revision: '1',
    settings: eventSettings,
    traceparent: null,
    data: eventData,
    createdAt: new Date(),
  });

async function publishBatch(bodies: readonly Buffer[], from: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let open = bodies.length;
    bodies.forEach((body, index) =>
      channel.publish(
        exchanges.events,
        eventType,
        body,
        {
          mandatory: true,
          persistent: true,
          messageId: String(from + index),
          contentType: 'application/json',
          headers: { tenant: '1', 'schema-version': 1 },
        },
        (error: Error | null) => {
          if (error) reject(error);
          else if (--open === 0) resolve();
        },
      ),
    );
  });
}

const api = {
  /** The queue is there: the dispatcher's broker declared it. */
  async start(amqpUrl: string): Promise<void> {
    amqp = amqpUrl;
    const connection = await connect(amqpUrl, { noDelay: true });
    channel = await connection.createConfirmChannel();
  },

  /** Publishes that many, so many batches at a time; gives the seconds it took. */
  async publish(messages: number, batchSize: number, atOnce: number): Promise<number> {
    await purge(amqp, queues.webhookEvents);
    const bodies = Array.from({ length: messages }, (_, n) => bodyOf(n));
    let next = 0;
    const started = performance.now();
    const loop = async () => {
      while (next < messages) {
        const from = next;
        next += batchSize;
        await publishBatch(bodies.slice(from, from + batchSize), from);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, loop));
    return (performance.now() - started) / 1000;
  },
};

export type PublisherApi = typeof api;

serveApi(api);
