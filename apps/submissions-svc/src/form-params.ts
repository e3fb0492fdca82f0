import { idSchema } from '@canvass/service-kit';
import Joi from 'joi';

/** The parameters of paths that name a form. */
export const formParams = Joi.object<{ formId: string }>({ formId: idSchema.description('id of the form') });
