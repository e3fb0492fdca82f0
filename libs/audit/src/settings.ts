import Joi from 'joi';
import { shortestRetentionDays } from './migration';

/** `Service:Audit`. */
export interface AuditSettings {
  RetentionDays: number;
}

export const auditSettingsSchema: Joi.ObjectSchema<AuditSettings> = Joi.object<AuditSettings, true>({
  RetentionDays: Joi.number()
    .integer()
    .min(shortestRetentionDays)
    .max(36_500)
    .default(365)
    .description(
      'Days for which the audit trail is kept. It is dropped in whole days; the last hash of each day stays.',
    ),
}).default();
