import { withTimeout } from '@canvass/async';
import { connect, type ChannelModel } from 'amqplib';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { backOff } from './back-off';
import type { Log } from './broker';

export interface LinkOptions {
  url: string;
  /** Name in RabbitMQ's list of connections. */
  name: string;
  logger: Log;
  /** Prepares a new connection. The link is up when it resolves; if it rejects, the link reconnects. */
  setUp(model: ChannelModel): Promise<void>;
  /** Called when the connection and all its channels are lost. */
  onDown(): void;
  onBlocked?(blocked: boolean): void;
}

/** Short: an attempt is cheap, and every second of waiting prolongs the outage. */
const maxWaitMs = 2_000;
/** A connection that ends sooner counts as a failure: what ended it may end the next one, too. */
const stableMs = 10_000;

/** One AMQP connection that reconnects until it is closed. */
export interface Link {
  isUp(): boolean;
  /** Drops the connection as if it were lost. */
  renew(reason: string): void;
  close(): Promise<void>;
}

/**
 * Does not use amqplib's own reconnect: its calls wait while the broker is away, but an outbox must know at
 * once. Channels must be opened again anyway.
 */
export function createLink(options: LinkOptions): Link {
  const { logger, name } = options;
  const ending = new AbortController();
  let current: ChannelModel | undefined;
  let up = false;

  async function connectOnce(): Promise<void> {
    const model = await connect(withHeartbeat(options.url), {
      noDelay: true,
      keepAlive: true,
      timeout: 10_000,
      clientProperties: { connection_name: name },
    });
    let cause = 'closed';
    // Without a listener an error event ends the process. 'close' always follows it.
    model.on('error', (error) => (cause = error.message));
    model.on('handler-error', (error) =>
      logger.error({ link: name, error: error.message }, 'listener failed'),
    );
    model.on('blocked', (reason) => {
      logger.warn({ link: name, reason }, 'broker blocked by an alarm');
      options.onBlocked?.(true);
    });
    model.on('unblocked', () => {
      logger.info({ link: name }, 'broker unblocked');
      options.onBlocked?.(false);
    });
    const gone = new Promise<void>((resolve) =>
      model.once('close', (error) => {
        if (error) cause = error.message; // a close by an operator emits no error event
        resolve();
      }),
    );
    current = model;
    try {
      if (!ending.signal.aborted) {
        await Promise.race([options.setUp(model), gone.then(() => Promise.reject(new Error(cause)))]);
        up = true;
        logger.info({ link: name }, 'connected to the broker');
      }
      if (ending.signal.aborted) await closeModel(model);
      await gone;
    } catch (error) {
      await closeModel(model);
      throw error;
    } finally {
      up = false;
      current = undefined;
      options.onBlocked?.(false);
      options.onDown();
    }
    throw new Error(cause);
  }

  async function run(): Promise<void> {
    for (let failures = 0; !ending.signal.aborted; failures += 1) {
      const startedAt = performance.now();
      const error: unknown = await connectOnce().catch((reason: unknown) => reason);
      if (ending.signal.aborted) return;
      if (performance.now() - startedAt >= stableMs) failures = 0;
      const waitMs = Math.round(backOff(failures, maxWaitMs));
      logger.warn({ link: name, error: messageOf(error), waitMs }, 'failed to connect to the broker');
      await sleep(waitMs, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    isUp: () => up,
    renew(reason) {
      if (!current) return;
      logger.warn({ link: name, reason }, 'renewing the connection to the broker');
      void closeModel(current);
    },
    async close() {
      ending.abort();
      if (current) await closeModel(current);
      await running;
    },
  };
}

/** The socket. amqplib has no other way to it. */
function streamOf(model: ChannelModel): Duplex {
  return (model.connection as unknown as { stream: Duplex }).stream;
}

/** The server default of half a minute is long for noticing a lost broker. */
function withHeartbeat(url: string): string {
  const parsed = new URL(url);
  if (!parsed.searchParams.has('heartbeat')) parsed.searchParams.set('heartbeat', '10');
  return parsed.href;
}

/** Does not wait for a broker that does not respond to the close. */
async function closeModel(model: ChannelModel): Promise<void> {
  const closed = new Promise<void>((resolve) => model.once('close', () => resolve()));
  // `close` rejects if it is closed already. A destroyed stream only emits the event.
  await withTimeout(Promise.race([model.close().catch(() => undefined), closed]), 2_000).catch(() => {
    streamOf(model).destroy(new Error('the broker did not answer the close'));
    return closed;
  });
}

export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return (error as { message?: string } | null)?.message ?? String(error);
}
