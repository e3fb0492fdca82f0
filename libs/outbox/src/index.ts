export { append, type NewEvent } from './append';
export {
  createDispatcher,
  type Dispatcher,
  type DispatcherOptions,
  type OutboxStats,
} from './create-dispatcher';
export { envelopeBytes, outboxEnvelope, type OutboxRow } from './envelope';
export { insertEventsSql, type EventExpressions } from './insert-events.sql';
export { lanes, laneSql } from './lanes';
export type { OutboxMetrics } from './metrics';
export { outboxOperations } from './operations';
export { outboxMigration } from './migration';
