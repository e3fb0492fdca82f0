import type { Principal } from '@canvass/auth';
import type { ServerResponse } from 'node:http';
import type { LiveEvent } from './live-events.sql';
import { maySee, type Topic } from './topics';

/** An interval below the 30 s of silence after which the gateway ends a response. */
const heartbeatMs = 15_000;
/** Twice as often as the feed of revoked tokens is read. */
const checkMs = 1_000;
/** A client that reads nothing for this long is disconnected. */
const maxStalledMs = 60_000;
/** The time that a client should wait before it connects again, in milliseconds. */
const reconnectMs = 1_000;

/** A field or an event of `text/event-stream`. Values are numbers and JSON: they have no line breaks. */
const lines = (fields: Record<string, string | number>) =>
  `${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')}\n`;

interface LiveStreamOptions {
  tenantId: string;
  topics: ReadonlySet<Topic>;
  /** The stream sends what comes after this id. */
  position: string;
  /** The caller of the request, by the token as it is valid now. Rejects when it is not valid any more. */
  admit: () => Promise<Principal | null>;
}

/**
 * The response of one client. At most one batch of events is in memory: while the client does not read,
 * `isReady` is false and nothing more is read for it.
 */
export class LiveStream {
  readonly tenantId: string;
  position: string;
  readonly #options: LiveStreamOptions;
  #checkedAt = -Infinity;
  #wroteAt = performance.now();
  #fullSince: number | undefined;

  constructor(
    private readonly response: ServerResponse,
    options: LiveStreamOptions,
  ) {
    this.#options = options;
    this.tenantId = options.tenantId;
    this.position = options.position;
    response.on('drain', () => (this.#fullSince = undefined));
  }

  /** Returns whether the client can take more. Disconnects a client that has not read for long. */
  get isReady(): boolean {
    if (this.#fullSince === undefined) return !this.response.writableEnded;
    if (performance.now() - this.#fullSince > maxStalledMs) this.response.destroy();
    return false;
  }

  /** Writes the position of the client, and whether it missed events (`reset`) or not (`ready`). */
  begin(event: 'ready' | 'reset'): void {
    this.#write(`${lines({ retry: reconnectMs })}${lines({ id: this.position, event, data: '{}' })}`);
  }

  /**
   * Sends the events that the caller may see now, or a heartbeat when it is due. `position`: of the last of
   * them. Ends the stream when the token of the caller is no longer valid.
   */
  async advance(events: readonly LiveEvent[], position: string): Promise<void> {
    const now = performance.now();
    const isSilent = now - this.#wroteAt >= heartbeatMs;
    if (events.length > 0 || isSilent || now - this.#checkedAt >= checkMs) {
      const principal = await this.#options.admit().catch(() => null);
      if (principal === null) return this.end();
      this.#checkedAt = now;
      const { topics } = this.#options;
      const seen = events.filter((event) => topics.has(event.topic) && maySee(principal, event));
      if (seen.length > 0) this.#write(seen.map(eventText).join(''));
      // Without data this only moves the position from which the client resumes.
      else if (isSilent) this.#write(lines({ id: position }));
    }
    this.position = position;
  }

  end(): void {
    this.response.end();
  }

  #write(text: string): void {
    if (this.response.writableEnded || this.response.destroyed) return;
    this.#wroteAt = performance.now();
    if (!this.response.write(text)) this.#fullSince ??= this.#wroteAt;
  }
}

const eventText = ({ id, topic, type, entityId, formId, revision, occurredAt }: LiveEvent): string =>
  lines({
    id,
    event: topic,
    data: JSON.stringify({ type, id: entityId, formId, revision, occurredAt }),
  });
