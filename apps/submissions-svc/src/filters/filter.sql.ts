import { filterFields, type FieldKind } from './filter-fields';
import { pathOfAnswer } from '../answer-texts';
import type { Condition } from './filter-grammar';

/** Selects submissions of a form, for lists and exports. */
export interface SubmissionFilter {
  tenantId: string;
  formId: string;
  conditions: readonly Condition[];
  /** Text within the display id, case-insensitive. */
  search: string | null;
  /** createdAt: `from` inclusive, `to` exclusive. */
  from: Date | null;
  to: Date | null;
  /** Deleted submissions instead of those that are not. */
  isDeleted: boolean;
  /** The only submissions; null: all. */
  ids: readonly string[] | null;
}

const sqlTypes: Record<FieldKind, string> = {
  integer: 'integer',
  bigint: 'bigint',
  boolean: 'boolean',
  time: 'timestamp',
  text: 'text',
  choice: 'text',
};

const createdAt = filterFields['createdAt']!;

/** Returns whether the filter limits the time of creation, so that its index has what it matches. */
export const isOfTime = ({ from, to, conditions }: SubmissionFilter): boolean =>
  from !== null ||
  to !== null ||
  conditions.some((condition) => 'field' in condition && condition.field === createdAt);

/**
 * The `where` condition on the submission `s`, with parameters from $1 on. Values are never part of the text.
 */
export function whereOf(filter: SubmissionFilter): { where: string; values: unknown[] } {
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const parts = [
    `s.tenant_id = ${parameter(filter.tenantId)}::bigint`,
    `s.form_id = ${parameter(filter.formId)}::bigint`,
    `s.deleted_at is ${filter.isDeleted ? 'not null' : 'null'}`,
    ...filter.conditions.map((condition) => conditionOf(condition, parameter)),
  ];
  if (filter.ids !== null) parts.push(`s.id = any (${parameter(filter.ids)}::bigint[])`);
  if (filter.search !== null)
    parts.push(`strpos(fold(s.submitter_display_id), fold(${parameter(filter.search)}::text)) > 0`);
  const utc = (time: Date) => `(${parameter(time)}::timestamptz at time zone 'UTC')`;
  if (filter.from !== null) parts.push(`${createdAt.column} >= ${utc(filter.from)}`);
  if (filter.to !== null) parts.push(`${createdAt.column} < ${utc(filter.to)}`);
  return { where: parts.join('\n and '), values };
}

function conditionOf(condition: Condition, parameter: (value: unknown) => string): string {
  if ('profileField' in condition) {
    // Containment of one member means equality of that member, which the GIN index (jsonb_path_ops) supports.
    // Blank values are not stored, so an absent field is missing or empty.
    const any = condition.values.map((value) =>
      value === null
        ? `coalesce(s.submitter_profile_snapshot ->> ${parameter(condition.profileField)}::text, '') = ''`
        : `s.submitter_profile_snapshot @> ${parameter(JSON.stringify({ [condition.profileField]: value }))}::jsonb`,
    );
    const held = `(${any.join(' or ')})`;
    return condition.operator === ':' ? held : `coalesce(not ${held}, true)`;
  }
  if ('answer' in condition) return answerCondition(condition, parameter);
  const {
    field: { column, kind },
    operator,
    values,
  } = condition;
  const type = sqlTypes[kind];
  if (operator !== ':' && operator !== '!:') {
    const sign = operator.replace(':', '=');
    return `${column} ${sign} ${parameter(values[0])}::${type}`;
  }
  const present = values.filter((value) => value !== null);
  // An index that leads with the field keeps its order only for one value.
  const some =
    present.length === 1
      ? `${column} = ${parameter(present[0])}::${type}`
      : `${column} = any(${parameter(present)}::${type}[])`;
  const held = values.includes(null) ? `(${some} or ${column} is null)` : `coalesce(${some}, false)`;
  return operator === ':' ? (values.includes(null) ? held : some) : `not ${held}`;
}

/** A condition: of several choices one must be equal. Only numbers are compared. */
function answerCondition(
  { answer, operator, values }: Extract<Condition, { answer: string }>,
  parameter: (value: unknown) => string,
): string {
  const names = `${parameter(answer)}::text, ${parameter(pathOfAnswer(answer))}::text[]`;
  const read = (name: string) => `${name}(s.json_data, ${names})`;
  if (operator === '~:')
    return `exists (select from unnest(${read('answer_values')}) a(value), unnest(${parameter(values)}::text[]) p(part)
      where strpos(fold(a.value), fold(p.part)) > 0)`;
  if (operator !== ':' && operator !== '!:')
    return `${read('answer_number')} ${operator.replace(':', '=')} ${parameter(values[0])}::numeric`;
  const some = `${read('answer_values')} && ${parameter(values.filter((value) => value !== null))}::text[]`;
  const held = values.includes(null) ? `coalesce(${some}, true)` : `coalesce(${some}, false)`;
  return operator === ':' ? held : `not ${held}`;
}
