import Joi from 'joi';

/** `Service:Exports`: files that are written by jobs. */
export interface ExportSettings {
  KeptHours: number;
}

export const exportSettingsSchema: Joi.ObjectSchema<ExportSettings> = Joi.object<ExportSettings>({
  KeptHours: Joi.number()
    .integer()
    .min(1)
    .max(168)
    .default(24)
    .description('Hours for which the file of an export is kept.'),
}).default();
