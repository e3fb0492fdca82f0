import Joi from 'joi';

/** `Service:DataLists`. */
export interface DataListSettings {
  BaseUrl?: string;
}

export const dataListSettingsSchema = Joi.object<DataListSettings>({
  BaseUrl: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .description('internal base URL of datalists-svc, for labels of answers; without it answers show values'),
}).default();
