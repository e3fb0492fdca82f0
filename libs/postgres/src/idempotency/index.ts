export { idempotencyEntityMigration, idempotencyMigration } from './migration';
export {
  createIdempotencyStore,
  forgetAnswers,
  type IdempotencyUnit,
  type PostgresIdempotencyStore,
} from './store';
