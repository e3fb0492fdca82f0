/**
 * An entity's events are all in lane `entity_id % 4`, in the order of `outbox.id`. Each lane has one dispatcher at a
 * time, so four of them work side by side and none overtakes another on the same entity.
 */
export const lanes = [0, 1, 2, 3] as const;

export type Lane = (typeof lanes)[number];
