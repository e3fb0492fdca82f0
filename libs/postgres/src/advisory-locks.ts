/**
 * The numbers of all advisory locks. Two features must not share a number unless their second keys differ.
 *
 * - `7_226_001`: `libs/testing` while it creates a template database.
 * - `7_226_004`: the retention of the relay uses the number of `outboxLane` with another second key.
 */
export const advisoryLocks = {
  /** Migrations of a service. Second key: hash of the schema. */
  migration: 7_226_002,
  /** Provisioning of roles and schemas. No second key. */
  provisioning: 7_226_003,
  /**
   * Leadership of an outbox lane. Second key: hash of schema and lane. `docs/operations.md` names the number.
   */
  outboxLane: 7_226_004,
  /** One run of the backfill. Second key: hash of the schema. */
  backfill: 7_226_005,
} as const;
