import { validationProblem, type BrokenRule } from '@canvass/errors';
import { answersPrefix, maxAnswerPathLength } from '../answer-texts';
import { filterFields, type FilterField } from './filter-fields';
import { FilterFault, isAbsent, readValue, withoutEscape } from './filter-values';

/** `:` is equal, `!:` not equal; the others compare. Answers have `~:`, contains, too. */
export type FilterOperator = ':' | '!:' | '>:' | '<:' | '>' | '<';

/** A parsed filter. A value of null means that the field is absent. */
export type Condition =
  | { name: string; field: FilterField; operator: FilterOperator; values: (string | null)[] }
  | { profileField: string; operator: ':' | '!:'; values: (string | null)[] }
  | { answer: string; operator: FilterOperator | '~:'; values: (string | null)[] };

const profilePrefix = 'submitterProfile.';
const maxValues = 100;

/**
 * Parses filters `<field><op><value>[|<value>]`. All filters must match; of several values one. `\|` is a bar
 * within a value, and `\null` the text `null`. Fields are those of the model and
 * `submitterProfile.<field>` with a configured field, and `answers.<path>`.
 *
 * @throws {Problem} `validation_failed` that names every invalid filter
 */
export function readFilters(filters: readonly string[], profileFields: readonly string[]): Condition[] {
  const errors: Record<string, BrokenRule[]> = {};
  const conditions = filters.flatMap((text, index) => {
    try {
      return [readFilter(text, profileFields)];
    } catch (error) {
      if (!(error instanceof FilterFault)) throw error;
      errors[`filter[${index}]`] = [error.broken];
      return [];
    }
  });
  if (Object.keys(errors).length > 0) throw validationProblem(errors);
  return conditions;
}

/** @throws {FilterFault} */
export function readFilter(text: string, profileFields: readonly string[]): Condition {
  if (text.startsWith(profilePrefix))
    return readProfileFilter(text.slice(profilePrefix.length), profileFields);
  if (text.startsWith(answersPrefix)) return readAnswerFilter(text.slice(answersPrefix.length));
  const [, name, operator, rest] = /^([A-Za-z]+)(!:|>:|<:|:|>|<)(.*)$/s.exec(text) ?? [];
  if (name === undefined || rest === undefined) throw new FilterFault('filter.syntax');
  const field = Object.hasOwn(filterFields, name) ? filterFields[name] : undefined;
  if (!field) throw new FilterFault('filter.field', { field: name });
  const condition = {
    name,
    field,
    operator: operator as FilterOperator,
    values: valuesOf(rest).map((value) => readValue(field, value)),
  };
  if (!isEquality(condition.operator)) requireComparable(field, condition.values);
  return condition;
}

/** Configured names may contain colons, so the longest matching name counts. */
function readProfileFilter(text: string, profileFields: readonly string[]): Condition {
  const [profileField] = profileFields
    .filter((name) => text.startsWith(name) && /^[!<>]?[:<>]/.test(text.slice(name.length)))
    .sort((a, b) => b.length - a.length);
  if (profileField === undefined) throw new FilterFault('filter.profile_field');
  const [, operator, rest] = /^(!?:)(.*)$/s.exec(text.slice(profileField.length)) ?? [];
  if (rest === undefined) throw new FilterFault('filter.profile');
  const values = valuesOf(rest).map((value) => (isAbsent(value) ? null : withoutEscape(value)));
  return { profileField, operator: operator as ':' | '!:', values };
}

/** The path ends at the first operator, so that names with `:`, `<` or `>` cannot be filtered by. */
function readAnswerFilter(text: string): Condition {
  const [, answer, sign, rest] = /^([^:<>\u0000]+?)([!~]:|>:|<:|:|>|<)(.*)$/s.exec(text) ?? [];
  if (answer === undefined || rest === undefined) throw new FilterFault('filter.answer');
  if (answer.length > maxAnswerPathLength)
    throw new FilterFault('filter.answer_path', { limit: maxAnswerPathLength });
  const operator = sign as FilterOperator | '~:';
  const values = valuesOf(rest).map((value) => (isAbsent(value) ? null : withoutEscape(value)));
  if (operator === '~:' && values.includes(null)) throw new FilterFault('filter.answer_text');
  if (
    operator !== '~:' &&
    !isEquality(operator) &&
    (values.length > 1 || !/^-?\d{1,20}(\.\d{1,20})?$/.test(values[0] ?? ''))
  )
    throw new FilterFault('filter.answer_number');
  return { answer, operator, values };
}

const isEquality = (operator: FilterOperator): boolean => operator === ':' || operator === '!:';

function requireComparable({ kind }: FilterField, values: (string | null)[]): void {
  if (kind !== 'integer' && kind !== 'bigint' && kind !== 'time') throw new FilterFault('filter.order');
  if (values.length > 1 || values[0] === null) throw new FilterFault('filter.one_value');
}

function valuesOf(text: string): string[] {
  const values = text.split(/(?<!\\)\|/).map((value) => value.replaceAll('\\|', '|'));
  if (values.length > 1 && values.includes('')) throw new FilterFault('filter.absent');
  if (values.length > maxValues) throw new FilterFault('filter.values', { limit: maxValues });
  return values;
}
