import { setTimeout as sleep } from 'node:timers/promises';
import { openStream, type OpenStream } from '@canvass/testing';

/** What a client waits before it connects again: `retry` of the stream. */
const reconnectMs = 1_000;

interface FollowerOptions {
  /** The gateway for the next connection. */
  origin: () => string;
  token: string;
  /** Does not say where it was when it connects again. */
  isForgetful?: boolean;
}

/** A client that follows the live events of its tenant, and connects again whenever its stream ends. */
export class Follower {
  private readonly streams: OpenStream[] = [];
  private ending = false;
  private following: Promise<void> | undefined;
  /** Statuses of connections that were refused. */
  readonly refusals: number[] = [];

  constructor(private readonly options: FollowerOptions) {}

  /** Resolves when the first stream is open, so that it has all that happens from now on. */
  async start(): Promise<void> {
    this.following = this.follow();
    while (!this.events.some(({ event }) => event === 'ready')) await sleep(20);
  }

  async stop(): Promise<void> {
    this.ending = true;
    for (const stream of this.streams) stream.close();
    await this.following;
  }

  /** All that arrived, in order. */
  get events(): OpenStream['events'] {
    return this.streams.flatMap(({ events }) => events);
  }

  get connections(): number {
    return this.streams.length;
  }

  /** The values of a member of the events with this type, such as the ids of all completed submissions. */
  seen(type: string, member: 'id' | 'formId' | 'revision'): Set<string> {
    const found = this.events.filter(({ data }) => data['type'] === type);
    return new Set(found.map(({ data }) => String(data[member])));
  }

  private async follow(): Promise<void> {
    const { origin, token, isForgetful } = this.options;
    while (!this.ending) {
      const after = this.streams.map((stream) => stream.lastEventId()).findLast((id) => id !== '');
      const stream = await openStream(`${origin()}/api/events/stream`, {
        authorization: `Bearer ${token}`,
        ...(after === undefined || isForgetful === true ? {} : { 'last-event-id': after }),
      }).catch(() => null);
      if (stream?.status === 200) this.streams.push(stream);
      else if (stream !== null) this.refusals.push(stream.status);
      if (this.ending) stream?.close();
      await stream?.ended;
      if (!this.ending) await sleep(reconnectMs);
    }
  }
}
