import Joi from 'joi';

/** Configuration section `Service:Database`. */
export interface DatabaseSettings {
  /** Connection URL of the service's own role. */
  Url: string;
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
    .description("Connection URL of the service's own Postgres role."),
  PoolMax: Joi.number().integer().min(1).max(500).default(10).description('Most connections of one process.'),
  StatementTimeoutMs: Joi.number()
    .integer()
    .min(0)
    .default(30_000)
    .description('Postgres ends a statement that takes longer; 0 is no limit.'),
  IdleInTransactionTimeoutMs: Joi.number()
    .integer()
    .min(0)
    .default(60_000)
    .description('Postgres ends a session whose open transaction does nothing for longer; 0 is no limit.'),
  MigrateOnStart: Joi.boolean()
    .default(true)
    .description("Bring the service's schema up to date at each start."),
});
