import { every } from '@canvass/async';
import type { Principal } from '@canvass/auth';
import { Problem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import type { Logger, Metrics } from '@canvass/service-kit';
import type { ServerResponse } from 'node:http';
import { deleteOldLiveEvents, findPosition, readLiveEvents, type LiveEvent } from './live-events.sql';
import { LiveStream } from './live-stream';
import type { Topic } from './topics';

const pollMs = 500;
const deleteEveryMs = 60_000;
const deletedAtOnce = 10_000;
/** Events of one stream that one look reads. */
const readAtOnce = 200;
/** Streams of one process: all, of one tenant, of one caller. */
const maxStreams = { all: 1_000, tenant: 200, caller: 20 };

interface StreamRequest {
  principal: Principal;
  topics: ReadonlySet<Topic>;
  /** The last event that the client has; null: it wants what happens from now on. */
  after: string | null;
  /** See `LiveStreamOptions`. */
  admit: () => Promise<Principal | null>;
}

export interface LiveFeed {
  /**
   * Writes events to the response until the client disconnects, its token ends or the process stops.
   * @throws {Problem} `too_many_requests`, `service_unavailable`; nothing is written then
   */
  stream(request: StreamRequest, response: ServerResponse): Promise<void>;
  start(): void;
  /** Ends all streams: their clients connect to another replica and resume there. */
  stop(): Promise<void>;
}

/**
 * The streams of this process. Each has a position of its own, and one statement reads the next events of all
 * of them. So a client that resumes, one that is slow and one that is up to date are the same case.
 */
export function createLiveFeed({
  db,
  logger,
  metrics,
}: {
  db: Database;
  logger: Logger;
  metrics: Metrics;
}): LiveFeed {
  const streams = new Set<LiveStream>();
  const open = new Map<string, number>();
  let isStopped = false;
  metrics.gauge({
    name: 'live_streams_open',
    help: 'Clients that are notified of changes as they happen.',
    collect: () => streams.size,
  });

  async function round(): Promise<number | void> {
    const ready = [...streams].filter(({ isReady }) => isReady);
    if (ready.length === 0) return;
    const rows = await db.query(
      readLiveEvents({
        tenants: ready.map(({ tenantId }) => tenantId),
        positions: ready.map(({ position }) => position),
        rows: readAtOnce,
      }),
    );
    const batches = ready.map((stream) => ({
      stream,
      events: [] as LiveEvent[],
      position: stream.position,
    }));
    for (const { stream, position, id, ...event } of rows) {
      const batch = batches[stream - 1]!;
      batch.position = position;
      if (id !== null) batch.events.push({ ...event, id } as LiveEvent);
    }
    await Promise.all(batches.map(({ stream, events, position }) => stream.advance(events, position)));
    if (batches.some(({ events }) => events.length === readAtOnce)) return 0;
  }
  const reading = every(pollMs, round, {
    onError: (error) => logger.warn({ error }, 'failed to read live events; trying again'),
  });

  const deleting = every(
    deleteEveryMs,
    async () => {
      const removed = await db.query(deleteOldLiveEvents({ rows: deletedAtOnce }));
      if (removed.length === deletedAtOnce) return 0;
    },
    { onError: (error) => logger.warn({ error }, 'failed to delete old live events; trying again') },
  );

  /** Counts the stream. @returns what undoes it @throws {Problem} `too_many_requests` */
  function reserve({ tenantId, provider, subject }: Principal): () => void {
    const limits: [key: string, max: number][] = [
      ['', maxStreams.all],
      [tenantId, maxStreams.tenant],
      [`${tenantId} ${provider} ${subject}`, maxStreams.caller],
    ];
    if (limits.some(([key, max]) => (open.get(key) ?? 0) >= max))
      throw new Problem('too_many_requests', {
        detail: 'Too many streams are open. Close one, or try again later.',
        headers: { 'Retry-After': '30' },
      });
    const add = (change: 1 | -1) => {
      for (const [key] of limits) {
        const count = (open.get(key) ?? 0) + change;
        if (count > 0) open.set(key, count);
        else open.delete(key);
      }
    };
    add(1);
    return () => add(-1);
  }

  return {
    async stream({ principal, topics, after, admit }, response) {
      if (isStopped) throw new Problem('service_unavailable', { headers: { 'Retry-After': '1' } });
      const release = reserve(principal);
      try {
        const { tenantId } = principal;
        const [found] = await db.query(findPosition({ tenantId, after }));
        if (response.destroyed) return;
        const position = after !== null && found!.isKept ? after : found!.newest;
        const stream = new LiveStream(response, { tenantId, topics, position, admit });
        const closed = new Promise<void>((resolve) => response.once('close', resolve));
        response.flushHeaders();
        stream.begin(after === null || found!.isKept ? 'ready' : 'reset');
        streams.add(stream);
        if (isStopped) stream.end();
        await closed;
        streams.delete(stream);
      } finally {
        release();
      }
    },
    start() {
      reading.start();
      deleting.start();
    },
    async stop() {
      isStopped = true;
      for (const stream of streams) stream.end();
      await Promise.all([reading.stop(), deleting.stop()]);
    },
  };
}
