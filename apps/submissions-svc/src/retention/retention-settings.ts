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
    .description(
      'Days after which a submission that its respondent did not complete is erased, counted from its last save. 0: never.',
    ),
  JobDays: Joi.number()
    .integer()
    .min(1)
    .default(30)
    .description('Days after which a long job that has ended is removed, with its filter and reason.'),
}).default();
