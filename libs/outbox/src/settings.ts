import Joi from 'joi';
import { maxKeptHours } from './published.sql';

/** Configuration section `Service:Outbox`. */
export interface OutboxSettings {
  /** Hours. */
  KeepHours: number;
}

/** The keys of the section, for a service with further ones. */
export const outboxKeys = {
  KeepHours: Joi.number()
    .integer()
    .min(0)
    .max(maxKeptHours)
    .default(24)
    .description('How many hours published events are kept for "ops outbox republish"; 0: they are deleted.'),
};

export const outboxSettingsSchema = Joi.object<OutboxSettings>(outboxKeys).default();
