import { wakeQueueName } from '@canvass/contracts';
import type pg from 'pg';
import { findLeaders, releaseLanes, takeLanes, type LaneLeader } from './lane.sql';
import type { Lane } from './lanes';

/**
 * The lanes that a session leads. The members share the lanes evenly: a session that leads more than its
 * quota gives lanes up, and one that leads fewer takes free lanes. If a session ends, its lanes are free, and
 * the quotas of the others grow.
 */
export interface Leadership {
  /** Lanes to scan. */
  led(): readonly Lane[];
  leads(lane: Lane): boolean;
  /** The queue on which the leader of the lane is woken, as last known; null without another leader. */
  wakeQueueOf(lane: Lane): string | null;
  /** The queue on which this session is woken. */
  ownWakeQueue(): string;
  /**
   * Takes and gives up lanes. A lane is given up once it has no events in flight. Call it about once a
   * second.
   *
   * @returns lanes that were taken
   */
  balance(isInFlight: (lane: Lane) => boolean): Promise<Lane[]>;
}

export async function createLeadership(client: pg.ClientBase): Promise<Leadership> {
  let lanes: LaneLeader[] = [];
  let led = new Set<Lane>();

  async function read(): Promise<Lane[]> {
    lanes = await findLeaders(client);
    return lanes.filter(({ leader, self }) => leader === self).map(({ lane }) => lane);
  }

  await read();
  return {
    led: () => [...led],
    leads: (lane) => led.has(lane),
    wakeQueueOf(lane) {
      const { leader, self, schema } = lanes[lane]!;
      return leader === null || leader === self ? null : wakeQueueName(schema, leader);
    },
    ownWakeQueue: () => wakeQueueName(lanes[0]!.schema, lanes[0]!.self),
    async balance(isInFlight) {
      let held = await read();
      const { quota } = lanes[0]!;
      if (held.length < quota) {
        const free = lanes.filter(({ leader }) => leader === null).map(({ lane }) => lane);
        await takeLanes(client, shuffled(free), quota - held.length);
        held = await read();
      }
      const [kept, excess] = [held.slice(0, quota), held.slice(quota)];
      const taken = kept.filter((lane) => !led.has(lane));
      led = new Set(kept);
      const drained = excess.filter((lane) => !isInFlight(lane));
      if (drained.length > 0) {
        await releaseLanes(client, drained);
      }
      return taken;
    },
  };
}

/** Sessions that take lanes at the same time try them in different orders. */
function shuffled<T>(values: readonly T[]): T[] {
  const drawn = values.map((value) => ({ value, order: Math.random() }));
  return drawn.sort((a, b) => a.order - b.order).map(({ value }) => value);
}
