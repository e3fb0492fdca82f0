/**
 * All events of an entity are in one lane, which follows from its id, in the order of `outbox.id`. Processes
 * share the lanes, and each lane has one leader, so events are published in parallel without reordering those
 * of an entity. The number is fixed, because it is part of the stored rows.
 */
export const laneCount = 64;

/** 0 to 63. */
export type Lane = number;

export const allLanes: readonly Lane[] = Array.from({ length: laneCount }, (_, lane) => lane);

/**
 * The lane of an entity as SQL. `id` is an expression for its bigint id. The shift is needed because an
 * entity and its event take their ids from one sequence: entity ids grow by two and would use only half of
 * the lanes.
 */
export const laneSql = (id: string): string => `((${id}) >> 1) % ${laneCount}`;

/** The result of `laneSql` from the last seven decimal digits of the id: 10,000,000 is a multiple of 128. */
export const laneOf = (entityId: string): Lane => (Number(entityId.slice(-7)) >> 1) % laneCount;
