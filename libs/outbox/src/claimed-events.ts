import type { OutboxRow } from './envelope';
import { laneCount, type Lane } from './lanes';

/** The events that a leader has claimed and not yet deleted. */
export interface ClaimedEvents {
  bytes(): number;
  /** Returns the entities to skip, so that no event overtakes an earlier one of its entity. */
  entityIds(): string[];
  /** Returns the id of the first claimed event of each lane that has any. */
  firstIds(): ReadonlyMap<Lane, bigint>;
  /** Adds what a scan of the lanes found. */
  add(lanes: readonly Lane[], rows: readonly OutboxRow[]): void;
  /**
   * Releases the entities of a batch.
   *
   * @param isComplete false if some of its events stay in the outbox
   * @returns the lanes that may have more events of them
   */
  release(rows: readonly OutboxRow[], isComplete: boolean): Lane[];
}

interface Entity {
  lane: Lane;
  firstId: bigint;
  /** Number of scans of its lane at its claim. A later scan has skipped its events. */
  scans: number;
}

export function createClaimedEvents(): ClaimedEvents {
  const entities = new Map<string, Entity>();
  const scans = new Array<number>(laneCount).fill(0);
  let bytes = 0;
  return {
    bytes: () => bytes,
    entityIds: () => [...entities.keys()],
    firstIds() {
      const first = new Map<Lane, bigint>();
      for (const { lane, firstId } of entities.values())
        if (firstId < (first.get(lane) ?? firstId + 1n)) first.set(lane, firstId);
      return first;
    },
    add(lanes, rows) {
      for (const lane of lanes) scans[lane]! += 1;
      for (const { entityId, lane, id, bytes: ofRow } of rows) {
        bytes += ofRow;
        if (!entities.has(entityId))
          entities.set(entityId, { lane, firstId: BigInt(id), scans: scans[lane]! });
      }
    },
    release(rows, isComplete) {
      const lanes: Lane[] = [];
      for (const { lane, entityId, bytes: ofRow } of rows) {
        bytes -= ofRow;
        const entity = entities.get(entityId);
        if (entity && (scans[lane] !== entity.scans || !isComplete)) lanes.push(lane);
        entities.delete(entityId);
      }
      return lanes;
    },
  };
}
