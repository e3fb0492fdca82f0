export {
  createIdempotencyStore,
  forgetAnswers,
  type IdempotencyUnit,
  type PostgresIdempotencyStore,
} from './store';
