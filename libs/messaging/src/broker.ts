/** What this library needs of a logger; service-kit's has this shape. */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface OutgoingMessage {
  /** Empty for the default exchange, whose routing key is a queue's name. */
  exchange: string;
  routingKey: string;
  /** Also correlates the broker's return of an unroutable message. */
  messageId: string;
  body: Buffer;
  headers?: Record<string, unknown>;
  /** `application/json` unless told. */
  contentType?: string;
}

/**
 * `ok`: the broker has stored the message in every queue it belongs to. Else it may or may not have:
 * - `returned`: no queue is bound for it (and there is no alternate exchange that takes it);
 * - `nacked`: a queue refused it, for example a full one;
 * - `timeout`: no confirm within the deadline;
 * - `blocked`: the broker takes nothing at the moment (memory or disk alarm); it was not sent;
 * - `disconnected`: the channel was not open, or closed before the confirm;
 * - `invalid`: it cannot be encoded as AMQP, now or ever.
 */
export type PublishResult =
  | { ok: true }
  | {
      ok: false;
      reason: 'returned' | 'nacked' | 'timeout' | 'blocked' | 'disconnected' | 'invalid';
      detail?: string;
    };

export interface IncomingMessage {
  messageId: string;
  /** As it was first published, also after a retry. */
  routingKey: string;
  body: Buffer;
  headers: Record<string, unknown>;
  redelivered: boolean;
  /** How often it was handed to a consumer before, retries included; 0 for the first time. */
  deliveryCount: number;
}

/**
 * `ack`: done. `dead`: can never be handled, goes to the dead-letter exchange. `retryInMs`: handle again after the
 * shortest retry queue's time that is not shorter, or the longest one's.
 */
export type Outcome = 'ack' | 'dead' | { retryInMs: number };

export interface Consumer {
  /** Takes no further messages and resolves when the handlers in flight have ended and are settled. */
  stop(): Promise<void>;
}

/** `connected`: publishing works. `blocked`: connected, but the broker takes nothing for the moment. */
export type BrokerState = 'connected' | 'connecting' | 'blocked' | 'closed';

export interface Broker {
  /** Sends all and waits for each one's confirm, at most until the deadline. Never throws, never buffers for later. */
  publish(messages: readonly OutgoingMessage[]): Promise<PublishResult[]>;
  /**
   * Handles the queue's messages, at most `prefetch` at once, until stopped; survives lost connections and a deleted
   * queue. A handler that throws is taken for an outage: the message is retried in 5 s, for ever.
   */
  consume(
    queue: string,
    options: { prefetch: number },
    handler: (message: IncomingMessage) => Promise<Outcome>,
  ): Consumer;
  state(): BrokerState;
  /** Resolves when publishing works; rejects when `signal` aborts or the broker is closed. */
  whenConnected(signal?: AbortSignal): Promise<void>;
  /** Calls `listener` with each new state; the answer ends it. */
  onStateChange(listener: (state: BrokerState) => void): () => void;
  /** What is wrong though connected: queues declared otherwise, consumers without a queue. For the health check. */
  faults(): string[];
  /** Messages that are ready in each of the queues, without one that does not exist. Rejects when not connected. */
  depths(queues: readonly string[]): Promise<Map<string, number>>;
  close(): Promise<void>;
}
