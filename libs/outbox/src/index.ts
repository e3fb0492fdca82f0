export { append, type NewEvent } from './append';
export { createDispatcher } from './create-dispatcher';
export type { Dispatcher, DispatcherOptions, OutboxMetrics, OutboxStats } from './dispatcher';
export { eraseEvents } from './erase-events';
export { envelopeBytes, type OutboxRow } from './envelope';
export { insertEventsSql, type EventExpressions } from './insert-events.sql';
export { laneSql } from './lanes';
export { outboxOperations } from './operations';
export { outboxLanesMigration, outboxMigration } from './migration';
