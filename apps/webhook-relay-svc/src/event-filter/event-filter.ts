import type { EventCondition } from '@canvass/contracts';
import { digitsOf, readJson, writeJson } from '@canvass/json-numbers';
import { fold } from '@canvass/postgres';

/** What filters compare of an event. Read when the first filter asks, once for all filters of the event. */
export interface FilteredEvent {
  formId: string | null;
  /** The bytes of the entity, JSON. */
  data: Buffer;
}

/**
 * Returns a function that says whether all conditions hold for the event. They mean what the filters of the
 * list of submissions mean in SQL (`apps/submissions-svc/src/filters`).
 */
export function filterOf({
  formId,
  data,
}: FilteredEvent): (conditions: readonly EventCondition[]) => boolean {
  let entity: Record<string, unknown> | undefined;
  let answers: unknown;
  let hasAnswers = false;

  const memberOf = (name: string): unknown => {
    if (name === 'formId') return formId;
    entity ??= JSON.parse(data.toString('utf8')) as Record<string, unknown>;
    return entity[name];
  };
  const answerAt = (path: string): unknown => {
    if (!hasAnswers) {
      answers = parsed(memberOf('jsonData'));
      hasAnswers = true;
    }
    return valueAt(answers, path);
  };
  const holds = (condition: EventCondition): boolean => {
    if (condition.of === 'answer') return holdsForAnswer(condition, answerAt(condition.name));
    if (condition.of === 'member') return holdsForMember(condition, memberOf(condition.name));
    const profile = memberOf('submitterProfileSnapshot') as Record<string, string> | null | undefined;
    const text = profile && Object.hasOwn(profile, condition.name) ? profile[condition.name]! : '';
    return condition.values.some((value) => (value ?? '') === text) === (condition.operator === ':');
  };
  return (conditions) => conditions.every(holds);
}

function parsed(text: unknown): unknown {
  try {
    return readJson(String(text));
  } catch {
    return undefined;
  }
}

function holdsForMember({ kind, operator, values }: EventCondition, member: unknown): boolean {
  const isAbsent = member === null || member === undefined;
  if (operator !== ':' && operator !== '!:')
    return !isAbsent && isInOrder(operator, comparable(kind, member), comparable(kind, values[0]));
  const isEqual = values.some((value) =>
    value === null || isAbsent
      ? value === null && isAbsent
      : comparable(kind, member) === comparable(kind, value),
  );
  return isEqual === (operator === ':');
}

type Comparable = bigint | number | string;

function comparable(kind: EventCondition['kind'], value: unknown): Comparable {
  const text = String(value);
  if (kind === 'number') return BigInt(text);
  return kind === 'time' ? Date.parse(text) : text;
}

function holdsForAnswer({ operator, values }: EventCondition, answer: unknown): boolean {
  if (operator === '~:') {
    const parts = values.map((value) => fold(value!));
    return (textsOf(answer) ?? []).map(fold).some((text) => parts.some((part) => text.includes(part)));
  }
  if (operator !== ':' && operator !== '!:') {
    const digits = digitsOf(answer);
    return digits !== null && isInOrder(operator, ...scaled(digits, values[0]!));
  }
  const texts = textsOf(answer);
  const isEqual = texts === null ? values.includes(null) : texts.some((text) => values.includes(text));
  return isEqual === (operator === ':');
}

/** The answer as text, each choice of several; null for none and for an object. */
function textsOf(answer: unknown): string[] | null {
  if (Array.isArray(answer)) {
    const texts = answer.filter((each) => each !== null).map(textOf);
    return texts.length > 0 ? texts : null;
  }
  return answer === undefined || typeof answer === 'object' ? null : [textOf(answer)];
}

const textOf = (value: unknown): string =>
  digitsOf(value) ?? (typeof value === 'string' ? value : writeJson(value));

/** A question whose name contains dots wins over a path of members. */
function valueAt(answers: unknown, path: string): unknown {
  const whole = Array.isArray(answers) ? undefined : memberIn(answers, path);
  return whole === undefined ? path.split('.').reduce(memberIn, answers) : whole;
}

function memberIn(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return /^-?\d+$/.test(name) ? (value.at(Number(name)) as unknown) : undefined;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

const isInOrder = (operator: string, a: Comparable, b: Comparable): boolean =>
  a === b ? operator.endsWith(':') : operator.startsWith('>') === a > b;

const decimal = /^(-?)(\d+)(?:\.(\d+))?$/;
const maxDigits = 400;

/** Two decimal numbers as whole numbers of one unit; those in other forms, or too long, as floats. */
function scaled(a: string, b: string): [Comparable, Comparable] {
  const [left, right] = [decimal.exec(a), decimal.exec(b)];
  if (!left || !right || a.length > maxDigits) return [Number(a), Number(b)];
  const places = Math.max(left[3]?.length ?? 0, right[3]?.length ?? 0);
  const whole = ([, sign, digits, fraction = '']: RegExpExecArray) =>
    BigInt(`${sign}${digits}${fraction.padEnd(places, '0')}`);
  return [whole(left), whole(right)];
}
