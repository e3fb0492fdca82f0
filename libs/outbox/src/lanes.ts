/**
 * An entity's events are all in one lane, which follows from its id, in the order of `outbox.id`. Each lane has one dispatcher at a
 * time, so four of them work side by side and none overtakes another on the same entity.
 */
export const lanes = [0, 1, 2, 3] as const;

export type Lane = (typeof lanes)[number];

/**
 * The lane of an entity as SQL; `id` is an expression that gives its bigint id. Without the shift creates would use only half
 * of the lanes: an entity and its event draw their ids from one sequence, so that the entity's go up by two.
 */
export const laneSql = (id: string): string => `((${id}) >> 1) % 4`;

/** What `laneSql` gives, by the id's last three decimal digits: 1000 is a multiple of 8. */
export const laneOf = (entityId: string): Lane => ((Number(entityId.slice(-3)) >> 1) % 4) as Lane;
