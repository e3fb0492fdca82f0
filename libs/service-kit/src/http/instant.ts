import Joi from 'joi';

const iso = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * Reads a day (its start) or a time in ISO 8601, in UTC by default. Undefined for any other text, for a day
 * that does not exist, and for years other than 1 to 9999, which ISO 8601 and Postgres cannot both represent.
 */
export function readInstant(text: string): Date | undefined {
  const [, day, time, , , zone] = iso.exec(text) ?? [];
  if (day === undefined || dayOf(new Date(day)) !== day) return undefined; // Date moves 31 February to March
  const instant = new Date(time !== undefined && zone === undefined ? `${text}Z` : text);
  return /^(?!0000)\d{4}-/.test(dayOf(instant) ?? '') ? instant : undefined;
}

const dayOf = (instant: Date): string | undefined =>
  Number.isNaN(instant.getTime()) ? undefined : instant.toISOString().split('T', 1)[0];

export const instantFault =
  'must be an ISO 8601 day or time of the years 1 to 9999; without a zone it is in UTC';

/**
 * Schema of a time that a client sends, see `readInstant`. `meaning` is its description in the OpenAPI
 * document; the `example` of the end of a range must be later than that of its beginning.
 */
export const instantSchema = (meaning: string, example = '2026-11-20T00:00:00Z'): Joi.Schema<Date> =>
  Joi.any<Date>()
    .custom((text: unknown, helpers) => {
      const instant = typeof text === 'string' ? readInstant(text) : undefined;
      return instant ?? helpers.message({ custom: instantFault });
    })
    .description(`${meaning}; a day or a time in ISO 8601, in UTC unless it has a zone`)
    .meta({ jsonSchema: { type: 'string', format: 'date-time' } })
    .example(example);

/** The same as `instantSchema`, as text in UTC: `2026-11-20T00:00:00.000Z`. */
export const instantTextSchema = (meaning: string, example?: string): Joi.Schema<string> =>
  instantSchema(meaning, example).custom((time: unknown) =>
    time instanceof Date ? time.toISOString() : time,
  ) as unknown as Joi.Schema<string>;

/** The end of a range of times, exclusive. */
export const endSchema = (meaning: string): Joi.Schema<Date> =>
  instantSchema(meaning, '2026-11-21T00:00:00Z');
