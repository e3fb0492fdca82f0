import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type ChannelModel, type ConsumeMessage } from 'amqplib';
import { exchanges, type EventEnvelope } from '@canvass/contracts';
import type { Entity, SeenEvent } from '../records';
import { markerOf } from './markers';

const tapQueue = 'chaos.tap';

/** What the checker changes; the relay's operational events are no changes of it. */
const entities: readonly Entity[] = ['submission', 'form', 'datalist', 'tenant'];

/**
 * A consumer of every event of an entity, on a queue of the checker's own. It must be bound before the first change; what the broker
 * accepted is then in it, whatever happens to the broker.
 */
export class Tap {
  private stopped = false;
  private model: ChannelModel | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly url: string,
    private readonly record: (event: SeenEvent) => void,
  ) {}

  /** Resolves once the queue is bound. */
  async start(): Promise<void> {
    await new Promise<void>((bound, failed) => {
      this.running = this.run(bound);
      setTimeout(() => failed(new Error('the queue of the checker cannot be bound')), 120_000).unref();
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.model?.close().catch(() => undefined);
    await this.running;
  }

  private async run(bound: () => void): Promise<void> {
    while (!this.stopped) {
      await this.consume(bound).catch(() => undefined);
      if (!this.stopped) await sleep(200);
    }
  }

  private async consume(bound: () => void): Promise<void> {
    const model = await connect(`${this.url}?heartbeat=10`, { timeout: 5_000 });
    const gone = new Promise<void>((resolve) => model.once('close', () => resolve()));
    model.on('error', () => undefined); // 'close' follows
    this.model = model;
    try {
      const channel = await model.createChannel();
      channel.on('error', () => void model.close().catch(() => undefined));
      await channel.assertQueue(tapQueue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
      for (const entity of entities) await channel.bindQueue(tapQueue, exchanges.events, `${entity}.*`);
      await channel.prefetch(500);
      await channel.consume(tapQueue, (message) => {
        if (!message) return void model.close().catch(() => undefined);
        this.record(seen(message));
        try {
          channel.ack(message);
        } catch {
          // The channel is dead; the message comes again and is told as redelivered.
        }
      });
      bound();
      await gone;
    } finally {
      await model.close().catch(() => undefined);
    }
  }
}

function seen({ content, fields }: ConsumeMessage): SeenEvent {
  const envelope = JSON.parse(content.toString('utf8')) as EventEnvelope;
  const { id, type, entity, entityId, formId, revision, settings, data } = envelope;
  return {
    at: Date.now(),
    id,
    type,
    entity: entity as Entity,
    entityId,
    formId,
    revision,
    settings,
    digest: createHash('sha256').update(content).digest('base64'),
    marker: markerOf(entity as Entity, data as unknown as Record<string, unknown>),
    redelivered: fields.redelivered,
  };
}
