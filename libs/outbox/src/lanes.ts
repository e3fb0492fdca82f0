/**
 * All events of an entity are in one lane, which follows from its id, in the order of `outbox.id`. Each lane
 * has one leader, so four leaders work in parallel without reordering the events of an entity.
 */
export const lanes = [0, 1, 2, 3] as const;

export type Lane = (typeof lanes)[number];

/**
 * The lane of an entity as SQL. `id` is an expression for its bigint id. The shift is needed because an
 * entity and its event take their ids from one sequence: entity ids grow by two and would use only half of
 * the lanes.
 */
export const laneSql = (id: string): string => `((${id}) >> 1) % 4`;

/** The result of `laneSql` from the last three decimal digits of the id: 1000 is a multiple of 8. */
export const laneOf = (entityId: string): Lane => ((Number(entityId.slice(-3)) >> 1) % 4) as Lane;
