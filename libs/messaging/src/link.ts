import { connect, type ChannelModel } from 'amqplib';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { backOff } from './back-off';
import type { Log } from './broker';

export interface LinkOptions {
  url: string;
  /** Shown in RabbitMQ's list of connections. */
  name: string;
  logger: Log;
  /** Makes a fresh connection usable. The link counts as up when it is done; if it throws, the connection is made anew. */
  setUp(model: ChannelModel): Promise<void>;
  /** The connection is gone, and all its channels with it. */
  onDown(): void;
  onBlocked?(blocked: boolean): void;
}

/** Trying costs little, and every second of it is added to the outage. */
const longestWaitMs = 2_000;

/** One AMQP connection that is made again for ever, until it is closed. */
export interface Link {
  isUp(): boolean;
  /** Gives up the present connection, as if it were lost. */
  renew(reason: string): void;
  close(): Promise<void>;
}

/**
 * amqplib can reconnect by itself, but then its calls wait while the broker is away; an outbox must be told at once, and
 * channels have to be made anew anyway.
 */
export function createLink(options: LinkOptions): Link {
  const { logger, name } = options;
  const ending = new AbortController();
  let current: ChannelModel | undefined;
  let up = false;
  let wasUp = false;

  async function connectOnce(): Promise<void> {
    const model = await connect(withHeartbeat(options.url), {
      noDelay: true,
      keepAlive: true,
      timeout: 10_000,
      clientProperties: { connection_name: name },
    });
    let cause = 'closed';
    // Without a listener an error event ends the process; 'close' always follows it.
    model.on('error', (error) => (cause = error.message));
    model.on('handler-error', (error) =>
      logger.error({ link: name, error: error.message }, 'listener failed'),
    );
    model.on('blocked', (reason) => {
      logger.warn({ link: name, reason }, 'the broker takes no messages for the moment');
      options.onBlocked?.(true);
    });
    model.on('unblocked', () => {
      logger.info({ link: name }, 'the broker takes messages again');
      options.onBlocked?.(false);
    });
    const gone = new Promise<void>((resolve) =>
      model.once('close', (error) => {
        if (error) cause = error.message; // an operator's close is no error event
        resolve();
      }),
    );
    current = model;
    try {
      if (!ending.signal.aborted) {
        await Promise.race([options.setUp(model), gone.then(() => Promise.reject(new Error(cause)))]);
        up = true;
        wasUp = true;
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
      const error: unknown = await connectOnce().catch((reason: unknown) => reason);
      if (ending.signal.aborted) return;
      if (wasUp) failures = 0;
      wasUp = false;
      const waitMs = Math.round(backOff(failures, longestWaitMs));
      logger.warn({ link: name, error: messageOf(error), waitMs }, 'no connection to the broker');
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

/** Half a minute of silence, the default of the servers, is long for noticing a broker that is gone. */
function withHeartbeat(url: string): string {
  const parsed = new URL(url);
  if (!parsed.searchParams.has('heartbeat')) parsed.searchParams.set('heartbeat', '10');
  return parsed.href;
}

/** A broker that does not answer the close is left. */
async function closeModel(model: ChannelModel): Promise<void> {
  const { stream } = model.connection as unknown as { stream?: Duplex };
  const late = setTimeout(() => stream?.destroy(new Error('the broker did not answer the close')), 2_000);
  const closed = new Promise<void>((resolve) => model.once('close', () => resolve()));
  // Fails when it is closed already; of a destroyed stream only the event tells.
  await Promise.race([model.close().catch(() => undefined), closed]);
  clearTimeout(late);
}

export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return (error as { message?: string } | null)?.message ?? String(error);
}
