import Joi from 'joi';

/** Configuration section `Service:Database`. */
export interface DatabaseSettings {
  /** Connection URL of the service's own role. */
  Url: string;
  /** Past a pooler that `Url` names. */
  DirectUrl?: string;
  /** Role that owns the schema, where `Url` has one that may change rows only. */
  MigrationUrl?: string;
  PreparedStatements: boolean;
  PoolMax: number;
  StatementTimeoutMs: number;
  IdleInTransactionTimeoutMs: number;
  MigrateOnStart: boolean;
}

export const databaseSettingsSchema = Joi.object<DatabaseSettings>({
  Url: Joi.string()
    .uri({ scheme: ['postgres', 'postgresql'] })
    .required()
    .meta({ secret: true })
    .description(
      'Connection URL of the Postgres role of the service. It may name PgBouncer in transaction mode; set DirectUrl then.',
    ),
  DirectUrl: Joi.string()
    .uri({ scheme: ['postgres', 'postgresql'] })
    .meta({ secret: true })
    .description(
      'Connection URL to Postgres itself, for migrations and the outbox, if Url names a pooler. At start the service then stores the timeouts below as settings of its role.',
    ),
  MigrationUrl: Joi.string()
    .uri({ scheme: ['postgres', 'postgresql'] })
    .meta({ secret: true })
    .description(
      'Connection URL to Postgres itself of the role that owns the schema, for migrations. Without it the role of Url migrates.',
    ),
  PreparedStatements: Joi.boolean()
    .default(true)
    .description('Use named prepared statements. Turn it off for PgBouncer before 1.21.'),
  PoolMax: Joi.number()
    .integer()
    .min(1)
    .max(500)
    .default(10)
    .description('Maximum number of connections per process.'),
  StatementTimeoutMs: Joi.number()
    .integer()
    .min(0)
    .default(30_000)
    .description('Postgres cancels statements that take longer; 0 means no limit.'),
  IdleInTransactionTimeoutMs: Joi.number()
    .integer()
    .min(0)
    .default(60_000)
    .description('Postgres ends sessions whose open transaction is idle for longer; 0 means no limit.'),
  MigrateOnStart: Joi.boolean().default(true).description('Migrate the schema of the service at each start.'),
});
