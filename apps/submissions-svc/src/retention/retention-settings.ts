import Joi from 'joi';

/** `Service:Retention`: when submissions are removed without a request. */
export interface RetentionSettings {
  DeletedDays: number;
  PartialDays: number;
  JobDays: number;
}

export const retentionSettingsSchema: Joi.ObjectSchema<RetentionSettings> = Joi.object<RetentionSettings>({
  DeletedDays: Joi.number()
    .integer()
    .min(1)
    .default(30)
    .description('Days after which deleted forms and submissions are removed from the database.'),
  PartialDays: Joi.number()
    .integer()
    .min(0)
    .default(90)
    .description('Days from the last save after which an incomplete submission is erased; 0: never.'),
  JobDays: Joi.number()
    .integer()
    .min(1)
    .default(30)
    .description('Days after which a long job that has ended is removed.'),
}).default();
