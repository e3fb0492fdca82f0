import { brokenRule, type BrokenRule, type RuleName } from '@canvass/errors';
import { instantFault, readInstant } from '@canvass/service-kit';
import type { FilterField } from './filter-fields';

/** The reason why a filter is invalid. The message follows the name of the filter. */
export class FilterFault extends Error {
  readonly broken: BrokenRule;

  constructor(rule: RuleName, params?: Record<string, string | number>) {
    const broken = brokenRule(rule, params);
    super(broken.message);
    this.broken = broken;
  }
}

const max = { integer: 2n ** 31n - 1n, bigint: 2n ** 63n - 1n };

/** An absent value is written as nothing or as the word `null`. */
export const isAbsent = (text: string): boolean => text === '' || text === 'null';

/** `\null` is the text `null`, `\\null` is the text `\null`, and so on. */
export const withoutEscape = (text: string): string => (/^\\+null$/.test(text) ? text.slice(1) : text);

/** A value for Postgres; null for an absent one, if the field may be absent. */
export function readValue(field: FilterField, text: string): string | null {
  if (field.nullable && isAbsent(text)) return null;
  switch (field.kind) {
    case 'text':
      return field.nullable ? withoutEscape(text) : text;
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw new FilterFault('filter.boolean');
      return text;
    case 'choice':
      if (!field.values!.includes(text))
        throw new FilterFault('filter.choice', { values: field.values!.join(', ') });
      return text;
    case 'time':
      return readTime(text);
    case 'integer':
    case 'bigint':
      if (!/^\d{1,19}$/.test(text) || BigInt(text) > max[field.kind])
        throw new FilterFault('filter.number', { limit: String(max[field.kind]) });
      return text;
  }
}

/** A day or a time in UTC with milliseconds; see `readInstant`. */
function readTime(text: string): string {
  const instant = readInstant(text);
  if (instant === undefined) throw new FilterFault('filter.time', { rule: instantFault });
  return instant.toISOString();
}
