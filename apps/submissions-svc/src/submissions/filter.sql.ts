import { idAt, statement, type BoundStatement } from '@canvass/postgres';
import { filterFields, type FieldKind, type FilterField } from './filter-fields';
import { pathOfAnswer } from './answer-path';
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
  /**
   * Ids contain the times of creation in this form, see `findIdTimes`. A list by id then reads the times
   * only.
   */
  idsHaveTimes?: boolean;
  /** Deleted submissions instead of those that are not. */
  isDeleted: boolean;
  /** Only these submissions; null: all. */
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

/** An index has this expression. The id alone is no substitute: it differs, see `idToleranceMs`. */
const createdAt = filterFields['createdAt']!.column;

/** Between the time of an id and the creation, which is the start of the transaction. */
const idToleranceMs = 600_000;

/**
 * Whether all ids of a form have the time of creation. Those of another system may not. An index has the
 * condition; without it (a schema of the version before) the answer is no. Postgres expects an equality to
 * hold for few rows, so it uses the index.
 */
export const findIdTimes = statement<{ tenantId: string; formId: string }, { idsHaveTimes: boolean }>(
  'submissions_id_times',
  `select case when to_regclass('submissions_other_ids') is null then false else not exists (
     select from submissions where tenant_id = $tenantId and form_id = $formId
       and case when abs((id >> 22) + 1767225600000
         - (extract(epoch from created_at at time zone 'UTC') * 1000)::bigint) > ${idToleranceMs} then 1 end = 1) end as "idsHaveTimes"`,
);

const ofForm = 'tenant_id = $tenantId and form_id = $formId and deleted_at is null';
const isBetween = 'created_at >= $from and created_at < $to';
const countIds = statement<
  { tenantId: string; formId: string; from: Date; to: Date } & Record<
    'first' | 'inner' | 'outer' | 'next',
    string
  >,
  { total: string }
>(
  'submissions_count_ids',
  `select (select count(*) from submissions where ${ofForm} and id >= $inner and id < $outer)
     + (select count(*) from submissions where ${ofForm} and id >= $first and id < $inner and ${isBetween})
     + (select count(*) from submissions where ${ofForm} and id >= $outer and id < $next and ${isBetween}) as total`,
);

/**
 * Counts the submissions that were created from `from` until `to`, of a form whose ids have times. Rows are
 * read near the two times only; between them the index of ids is counted.
 */
export function countCreated({
  tenantId,
  formId,
  ...times
}: SubmissionFilter): BoundStatement<{ total: string }> {
  const from = times.from ?? new Date(0);
  const to = times.to ?? new Date(8.64e15);
  const inner = idAt(from, idToleranceMs);
  const outer = idAt(to, -idToleranceMs);
  return countIds({
    tenantId,
    formId,
    from,
    to,
    inner,
    first: idAt(from, -idToleranceMs),
    outer: BigInt(outer) > BigInt(inner) ? outer : inner,
    next: idAt(to, idToleranceMs),
  });
}

/** Submissions that a page by id checks for answers or texts, at most: some hundredths of a second. */
const mostWithTexts = 2_000;
/** Submissions that a page by id checks for other values, which are read faster. */
const mostWithValues = 10_000;

/** What a page by id checks if no index has a condition of its filter. */
export interface PageInParts {
  /** The conditions that an index has. They choose the submissions that the page checks. */
  indexed: SubmissionFilter;
  /** Submissions that the page checks, at most. */
  mostChecked: number;
}

/** Null if an index has all conditions of the filter. */
export function inParts(filter: SubmissionFilter): PageInParts | null {
  const checked = filter.conditions.filter((condition) => !isIndexed(condition));
  if (checked.length === 0 && filter.search === null) return null;
  const indexed = { ...filter, conditions: filter.conditions.filter(isIndexed), search: null };
  const hasTexts = filter.search !== null || checked.some(isOfTexts);
  return { indexed, mostChecked: hasTexts ? mostWithTexts : mostWithValues };
}

/** An index finds values, but not the absence of one, nor all other values. */
function isIndexed(condition: Condition): boolean {
  const { operator, values } = condition;
  if ('answer' in condition) return false;
  if ('field' in condition && isOrdered(condition.field)) return operator !== '!:';
  const isFound = 'profileField' in condition || condition.field === filterFields['submitterId'];
  return isFound && operator === ':' && !values.includes(null);
}

/** The index of the list has the id, another one the creation. */
const isOrdered = (field: FilterField): boolean =>
  field === filterFields['id'] || field === filterFields['createdAt'];

const isOfTexts = (condition: Condition): boolean =>
  'answer' in condition || ('field' in condition && condition.field.kind === 'text');

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
    parts.push(`strpos(lower(s.submitter_display_id), lower(${parameter(filter.search)}::text)) > 0`);
  if (filter.idsHaveTimes === true) {
    // Without the expression of the index, so that Postgres reads the ids in their order.
    const at = (time: Date) => `${parameter(time)}::timestamptz`;
    const id = (time: Date, plusMs: number) => `${parameter(idAt(time, plusMs))}::bigint`;
    if (filter.from !== null)
      parts.push(`s.created_at >= ${at(filter.from)}`, `s.id >= ${id(filter.from, -idToleranceMs)}`);
    if (filter.to !== null)
      parts.push(`s.created_at < ${at(filter.to)}`, `s.id < ${id(filter.to, idToleranceMs)}`);
  } else {
    const utc = (time: Date) => `(${parameter(time)}::timestamptz at time zone 'UTC')`;
    if (filter.from !== null) parts.push(`${createdAt} >= ${utc(filter.from)}`);
    if (filter.to !== null) parts.push(`${createdAt} < ${utc(filter.to)}`);
  }
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

/** Of several choices one must be equal. Only numbers are compared. */
function answerCondition(
  { answer, operator, values }: Extract<Condition, { answer: string }>,
  parameter: (value: unknown) => string,
): string {
  const names = `${parameter(answer)}::text, ${parameter(pathOfAnswer(answer))}::text[]`;
  const read = (name: string) => `${name}(s.json_data, ${names})`;
  if (operator !== ':' && operator !== '!:')
    return `${read('answer_number')} ${operator.replace(':', '=')} ${parameter(values[0])}::numeric`;
  const some = `${read('answer_values')} && ${parameter(values.filter((value) => value !== null))}::text[]`;
  const held = values.includes(null) ? `coalesce(${some}, true)` : `coalesce(${some}, false)`;
  return operator === ':' ? held : `not ${held}`;
}
