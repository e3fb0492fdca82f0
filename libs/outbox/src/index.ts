export { append, type NewEvent } from './append';
export { createDispatcher, type Dispatcher, type DispatcherOptions, type OutboxStats } from './dispatcher';
export { envelopeText, type OutboxRow } from './envelope';
export type { MetricsSource } from './metrics';
export { outboxMigration } from './migration';
