import Joi from 'joi';

/** How a 64-bit id or revision is written: a decimal string, because it does not fit a JavaScript number. */
export const wireId = Joi.string()
  .pattern(/^[1-9][0-9]{0,18}$/)
  .meta({ format: 'int64' });

/** How a date is written: ISO 8601, UTC with `Z`, milliseconds. */
export const wireDate = Joi.string()
  .isoDate()
  .pattern(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/);
