import { validationProblem, type FieldErrors } from '@canvass/errors';
import { filterFields, type FilterField } from './filter-fields';
import { FilterFault, isAbsent, readValue, withoutEscape } from './filter-values';

/** `:` equal, `!:` not equal; the others compare. */
export type FilterOperator = ':' | '!:' | '>:' | '<:' | '>' | '<';

/** One filter as it is understood. A value of null means that the field is absent. */
export type Condition =
  | { field: FilterField; operator: FilterOperator; values: (string | null)[] }
  | { profileField: string; operator: ':' | '!:'; values: (string | null)[] };

const profilePrefix = 'submitterProfile.';
const mostValues = 100;

/**
 * Reads filters `<field><op><value>[|<value>]`; several filters are all to hold, of several values one. `\|` is a bar within
 * a value, and `\null` the text `null`. Fields are those of the model and `submitterProfile.<field>` with a field that the configuration keeps.
 *
 * @throws {Problem} `validation_failed` that names every filter which cannot be read
 */
export function readFilters(filters: readonly string[], profileFields: readonly string[]): Condition[] {
  const errors: FieldErrors = {};
  const conditions = filters.flatMap((text, index) => {
    try {
      return [readFilter(text, profileFields)];
    } catch (error) {
      if (!(error instanceof FilterFault)) throw error;
      errors[`filter[${index}]`] = [error.message];
      return [];
    }
  });
  if (Object.keys(errors).length > 0) throw validationProblem(errors);
  return conditions;
}

function readFilter(text: string, profileFields: readonly string[]): Condition {
  if (text.startsWith(profilePrefix))
    return readProfileFilter(text.slice(profilePrefix.length), profileFields);
  const [, name, operator, rest] = /^([A-Za-z]+)(!:|>:|<:|:|>|<)(.*)$/s.exec(text) ?? [];
  if (name === undefined || rest === undefined)
    throw new FilterFault('must be <field><operator><value>, with an operator of : !: >: <: > <');
  const field = Object.hasOwn(filterFields, name) ? filterFields[name] : undefined;
  if (!field) throw new FilterFault(`names the field ${name}, which submissions cannot be filtered by`);
  const condition = {
    field,
    operator: operator as FilterOperator,
    values: valuesOf(rest).map((value) => readValue(field, value)),
  };
  if (!isEquality(condition.operator)) requireComparable(field, condition.values);
  return condition;
}

/** Configured names may hold colons, so that the longest name that fits is the one that is meant. */
function readProfileFilter(text: string, profileFields: readonly string[]): Condition {
  const [profileField] = profileFields
    .filter((name) => text.startsWith(name) && /^[!<>]?[:<>]/.test(text.slice(name.length)))
    .sort((a, b) => b.length - a.length);
  if (profileField === undefined)
    throw new FilterFault(
      'names a profile field that is not configured (Service:Submitter:ProfileSnapshotFields)',
    );
  const [, operator, rest] = /^(!?:)(.*)$/s.exec(text.slice(profileField.length)) ?? [];
  if (rest === undefined) throw new FilterFault('compares a profile field, which knows only : and !:');
  const values = valuesOf(rest).map((value) => (isAbsent(value) ? null : withoutEscape(value)));
  return { profileField, operator: operator as ':' | '!:', values };
}

const isEquality = (operator: FilterOperator): boolean => operator === ':' || operator === '!:';

function requireComparable({ kind }: FilterField, values: (string | null)[]): void {
  if (kind !== 'integer' && kind !== 'bigint' && kind !== 'time')
    throw new FilterFault('compares a field that is no number and no time; it knows only : and !:');
  if (values.length > 1 || values[0] === null)
    throw new FilterFault('must compare with one value that is not null');
}

function valuesOf(text: string): string[] {
  const values = text.split(/(?<!\\)\|/).map((value) => value.replaceAll('\\|', '|'));
  if (values.length > 1 && values.includes(''))
    throw new FilterFault('has an empty value among others: write null for an absent one');
  if (values.length > mostValues) throw new FilterFault(`must have at most ${mostValues} values`);
  return values;
}
