import { endSchema, instantSchema } from '@canvass/service-kit';
import Joi from 'joi';
import { defaultDays, maxDays } from './stats.sql';

export interface StatsQuery {
  from?: Date;
  to?: Date;
  timeZone: string;
}

export const timeZoneFault = 'must be an IANA time zone with its area, such as Europe/Berlin, or UTC';

/** Abbreviations and offsets are excluded, because their meaning differs between systems. */
const ianaName = /^(UTC|[A-Za-z_]+(\/[A-Za-z0-9_+-]+){1,2})$/;

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return ianaName.test(name);
  } catch {
    return false;
  }
}

export const statsQuery = Joi.object<StatsQuery>({
  from: instantSchema(
    `created at or after this time, at most ${maxDays} days before \`to\`; default is ${defaultDays} days of the time zone, the last one included`,
  ),
  to: endSchema('created before this time; default is the end of today in the time zone'),
  timeZone: Joi.string()
    .default('UTC')
    .custom((name: string, helpers) => (isTimeZone(name) ? name : helpers.message({ custom: timeZoneFault })))
    .meta({ jsonSchema: { type: 'string', pattern: ianaName.source.replaceAll('\\/', '/') } })
    .description('IANA time zone with its area, or UTC; a day begins at its midnight')
    .example('Europe/Berlin'),
});
