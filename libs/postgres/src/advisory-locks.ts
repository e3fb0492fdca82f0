/**
 * The numbers of all advisory locks. Two features must not share a number unless their second keys differ.
 *
 * - `7_226_001`: `libs/testing` while it creates a template database.
 */
export const advisoryLocks = {
  /** Migrations of a service. Second key: hash of the schema. */
  migration: 7_226_002,
  /** Provisioning of roles and schemas. No second key. */
  provisioning: 7_226_003,
  /**
   * Leadership of an outbox lane. Second key: hash of the schema, and the lane in the last six bits.
   * `docs/operate/alerts.md` names the number.
   */
  outboxLane: 7_226_004,
  /** One run of the backfill. Second key: hash of the schema. */
  backfill: 7_226_005,
  /** Shared by the sessions that share the lanes of an outbox. Second key: hash of the schema. */
  outboxMember: 7_226_006,
  /** One run of the retention of the relay. Second key: hash of the schema. */
  retention: 7_226_007,
  /** One run of the job that seals the audit trail. Second key: hash of the schema. */
  auditSeal: 7_226_010,
  /** One run of the job that counts attempts of the relay. Second key: hash of the schema. */
  attemptStats: 7_226_013,
  /**
   * Shared by erasures of events, and held by what moves published events back into the outbox. Second key:
   * hash of the schema.
   */
  outboxRepublish: 7_226_012,
  /** Held by writers of live events until they commit. Second key: hash of the schema. */
  liveEvents: 7_226_014,
  /** One step of the job that makes alerts of the relay. Second key: hash of the schema. */
  alerts: 7_226_015,
  /** Changes of what a quota of a tenant counts. Second key: hash of schema, tenant and quota. */
  quota: 7_226_011,
} as const;
