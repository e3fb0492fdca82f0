export { idempotencyMigration } from './migration';
export { createIdempotencyStore, type IdempotencyUnit, type PostgresIdempotencyStore } from './store';
