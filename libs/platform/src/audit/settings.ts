import Joi from 'joi';

/** The guards of `audit.schema.sql` have the same number. */
const minRetentionDays = 30;

/** `Service:Audit`. */
export interface AuditSettings {
  RetentionDays: number;
}

export const auditSettingsSchema: Joi.ObjectSchema<AuditSettings> = Joi.object<AuditSettings, true>({
  RetentionDays: Joi.number()
    .integer()
    .min(minRetentionDays)
    .max(36_500)
    .default(365)
    .description('Days for which the audit trail is kept. It is dropped in whole days.'),
}).default();
