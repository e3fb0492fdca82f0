/**
 * An entity's events are all in lane `entity_id % 4`, in the order of `outbox.id`. Each lane has one dispatcher at a
 * time, so four of them work side by side and none overtakes another on the same entity.
 */
export const lanes = [0, 1, 2, 3] as const;

export type Lane = (typeof lanes)[number];

/** Lane of an entity, by the id's last two decimal digits: 100 is a multiple of 4. */
export const laneOf = (entityId: string): Lane => (Number(entityId.slice(-2)) % 4) as Lane;
