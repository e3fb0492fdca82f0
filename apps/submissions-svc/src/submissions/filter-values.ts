import type { FilterField } from './filter-fields';

/** Why a filter cannot be read; the message follows the filter's name. */
export class FilterFault extends Error {}

const largest = { integer: 2n ** 31n - 1n, bigint: 2n ** 63n - 1n };
const isoTime = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A value as Postgres takes it; null for an empty one of a field that may be absent. */
export function readValue(field: FilterField, text: string): string | null {
  if (text === '' && field.nullable) return null;
  switch (field.kind) {
    case 'text':
      return text;
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw new FilterFault('must have true or false as value');
      return text;
    case 'choice':
      if (!field.values!.includes(text))
        throw new FilterFault(`must have one of ${field.values!.join(', ')} as value`);
      return text;
    case 'time':
      return readTime(text);
    case 'integer':
    case 'bigint':
      if (!/^\d{1,19}$/.test(text) || BigInt(text) > largest[field.kind])
        throw new FilterFault(`must have a whole number from 0 to ${largest[field.kind]} as value`);
      return text;
  }
}

/** ISO 8601: a day, which is its beginning in UTC, or a time with its zone. Answers UTC with milliseconds. */
export function readTime(text: string): string {
  const day = isoTime.exec(text)?.[1];
  const time = new Date(text);
  // A day such as 31 February is not refused by Date, but moved.
  if (day === undefined || Number.isNaN(time.getTime()) || new Date(day).toISOString().slice(0, 10) !== day)
    throw new FilterFault('must have an ISO 8601 day, or time with its zone, as value');
  const utc = time.toISOString();
  // Zones lead beyond the years of four digits, which are all that Postgres reads; it has no year 0 either.
  if (!/^(?!0000)\d{4}-/.test(utc)) throw new FilterFault('must have a time of the years 1 to 9999 as value');
  return utc;
}
