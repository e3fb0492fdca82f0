import Joi from 'joi';

/** A 64-bit id or revision: a decimal string, because a JavaScript number cannot hold it. */
export const wireId = Joi.string()
  .pattern(/^[1-9][0-9]{0,18}$/)
  .meta({ format: 'int64' });

/** A date: ISO 8601, UTC with `Z`, milliseconds. */
export const wireDate = Joi.string()
  .isoDate()
  .pattern(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/);
