export { assertServerVersion } from './server-version';
export { advisoryLocks } from './advisory-locks';
export {
  createReencryption,
  createSigningKeyStore,
  reencrypt,
  type ReencryptionResult,
  type SealedColumn,
  type SigningKeyStore,
} from './at-rest';
export { databaseCheck, type DatabaseCheck } from './database-check';
export { contains, foldedContains } from './contains';
export { fold, foldTables } from './fold';
export { createIndexConcurrently, dropIndexConcurrently } from './create-index-concurrently';
export { createDatabase, type DatabaseOptions } from './create-database';
export type { Database, Queryable, Session, Transactor, Tx } from './database';
export { groupCommit } from './group-commit';
export { connectionFault, problemFromPostgres, sqlState, violatedConstraint } from './faults';
export {
  createIdempotencyStore,
  forgetAnswers,
  type IdempotencyUnit,
  type PostgresIdempotencyStore,
} from './idempotency';
export {
  cursorAt,
  newestFirst,
  positionOf,
  type KeyOrder,
  type KeySource,
  type KeyType,
  type KeyWindow,
} from './cursors';
export {
  estimateRows,
  keyPageQuery,
  keySliceOf,
  readBounded,
  readKeyPage,
  totalOf,
  type KeySlice,
  type WithKeys,
} from './keyset';
export { migrate, type MigrateOptions, type Migration } from './migrate';
export { idAt, idAtSql, originOf } from './next-id';
export { observePool, type PoolMetrics } from './observe-pool';
export { partitionByTenant } from './partition-by-tenant';
export { prepareSchema, type PrepareOptions } from './prepare-schema';
export { ownerOf, provision, type ProvisionedService } from './provision';
export { kx } from './query-builder';
export { readInBatches, readTexts, type LongQuery } from './read-in-batches';
export { migrateCommand, partitionCommand } from './schema-commands';
export { foldSchema, idempotencySchema, nextIdSchema, schemaMigration } from './schema-migration';
export { defaultPrefix, loginOf, serviceSchemas, type ServiceSchema } from './service-roles';
export { databaseSettingsSchema, type DatabaseSettings } from './settings';
export { statement, type BoundStatement, type Sql, type Statement } from './statement';
export { within } from './within';
