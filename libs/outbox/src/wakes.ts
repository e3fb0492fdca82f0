import type { Mailbox } from '@canvass/messaging';
import type { Lane } from './lanes';
import type { Leadership } from './leadership';

/** The shortest time between two messages to a leader. Wake-ups of this time are sent together. */
const collectMs = 5;

/** Wakes the leaders of lanes in other processes. A lost wake-up is made up for by their next poll. */
export interface Wakes {
  /** Wakes the leader of the lane, if another process leads it. */
  send(lane: Lane): void;
  close(): Promise<void>;
}

/**
 * @param open opens the queue of this process
 * @param onWake called with the lanes for which another process wakes this one
 */
export function createWakes(
  leadership: Leadership,
  open: (queue: string, onMessage: (body: Buffer) => void) => Mailbox,
  onWake: (lanes: readonly Lane[]) => void,
): Wakes {
  const mailbox = open(leadership.ownWakeQueue(), (body) => onWake([...body]));
  const waiting = new Set<Lane>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    timer = undefined;
    if (waiting.size === 0) return;
    const byQueue = new Map<string, Lane[]>();
    for (const lane of waiting) {
      const queue = leadership.wakeQueueOf(lane);
      if (queue !== null) byQueue.set(queue, [...(byQueue.get(queue) ?? []), lane]);
    }
    waiting.clear();
    for (const [queue, lanes] of byQueue) mailbox.send(queue, Buffer.from(lanes));
    timer = setTimeout(flush, collectMs);
  }

  return {
    send(lane) {
      waiting.add(lane);
      if (timer === undefined) flush();
    },
    async close() {
      clearTimeout(timer);
      await mailbox.close();
    },
  };
}
