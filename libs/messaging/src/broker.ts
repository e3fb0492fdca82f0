/** The logger that this library needs; that of service-kit fits. */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface OutgoingMessage {
  /** Empty for the default exchange, whose routing keys are queue names. */
  exchange: string;
  routingKey: string;
  /** Also matches a returned message to its publish. */
  messageId: string;
  body: Buffer;
  headers?: Record<string, unknown>;
  /** Default `application/json`. */
  contentType?: string;
}

/**
 * `ok`: the broker has stored the message in every bound queue. Otherwise it may or may not have:
 * - `returned`: no queue is bound for it;
 * - `nacked`: a queue rejected it, for example because it is full;
 * - `timeout`: no confirm within the deadline;
 * - `blocked`: it was not sent because of a memory or disk alarm;
 * - `disconnected`: the channel was not open, or closed before the confirm;
 * - `invalid`: it can never be encoded as AMQP.
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
  /** The routing key of the first publish, even after a retry. */
  routingKey: string;
  body: Buffer;
  headers: Record<string, unknown>;
  redelivered: boolean;
  /** The number of times a consumer got it before, including retries; 0 the first time. */
  deliveryCount: number;
  /** The cause of its last retry, and how often in a row; undefined if the handler named none. */
  retriesOfCause?: { cause: string; count: number } | undefined;
}

/**
 * `ack`: done. `dead`: it can never be processed and goes to the dead-letter exchange. `retryInMs`: retry
 * after the shortest retry queue that waits at least so long, or the longest one. Retries of one `cause` are
 * counted.
 */
export type Outcome = 'ack' | 'dead' | { retryInMs: number; cause?: string };

export interface Consumer {
  /** Stops consuming and resolves when all running handlers have settled their messages. */
  stop(): Promise<void>;
}

export interface Mailbox {
  /** Sends a message to the mailbox of that name, or nowhere if it does not exist or without a connection. */
  send(to: string, body: Buffer): void;
  close(): Promise<void>;
}

/** `connected`: publishing works. `blocked`: connected, but an alarm stops publishing. */
export type BrokerState = 'connected' | 'connecting' | 'blocked' | 'closed';

export interface Broker {
  /** Sends all messages and waits for their confirms until the deadline. Never throws and never buffers. */
  publish(messages: readonly OutgoingMessage[]): Promise<PublishResult[]>;
  /**
   * Processes the messages of the queue, at most `prefetch` at once, until stopped. It survives lost
   * connections and a deleted queue. If a handler throws, it is called again for 30 s; then the message waits
   * in a retry queue for 5 s, and so on without limit.
   */
  consume(
    queue: string,
    options: { prefetch: number },
    handler: (message: IncomingMessage) => Promise<Outcome>,
  ): Consumer;
  /**
   * Opens a queue for messages that may be lost, such as wake-ups. It exists while this process is connected.
   * Nothing is stored, confirmed or acknowledged. The name must be unique.
   */
  openMailbox(name: string, onMessage: (body: Buffer) => void): Mailbox;
  state(): BrokerState;
  /** Resolves when publishing works; rejects when `signal` aborts or the broker is closed. */
  whenConnected(signal?: AbortSignal): Promise<void>;
  /** Calls `listener` with each new state. The returned function unsubscribes it. */
  onStateChange(listener: (state: BrokerState) => void): () => void;
  /** Faults while connected: topology mismatches and consumers without a queue. For the health check. */
  faults(): string[];
  /** Number of ready messages per existing queue. Rejects when not connected. */
  depths(queues: readonly string[]): Promise<Map<string, number>>;
  close(): Promise<void>;
}
