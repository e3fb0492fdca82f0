import { databaseSettingsSchema, type DatabaseSettings } from '@canvass/postgres';
import Joi from 'joi';

/** The part of submissions-svc's configuration that the backfill reads. */
export interface BackfillConfig {
  Database: DatabaseSettings;
  Auth: { Providers: { Name: string }[] };
}

/** Accepts the configuration of submissions-svc. Other keys than these are that service's and not checked. */
export const configSchema = Joi.object<{ Service: BackfillConfig }>({
  Service: Joi.object<BackfillConfig>({
    Database: databaseSettingsSchema.required(),
    Auth: Joi.object({
      Providers: Joi.array()
        .items(Joi.object({ Name: Joi.string().required() }).unknown())
        .default([]),
    })
      .unknown()
      .default(),
  })
    .unknown()
    .required(),
});
