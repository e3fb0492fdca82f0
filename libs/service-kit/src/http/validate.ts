import { fieldErrorLimit, validationProblem, type FieldErrors, type Violation } from '@canvass/errors';
import Joi from 'joi';
import type { IncomingMessage } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { closestName } from './closest-name';
import { messages } from './messages';
import { examine, jsonPath } from './untrusted';

type Part = 'params' | 'query' | 'body';

type Fault = Joi.ValidationErrorItem;

const whenInvalid: Joi.ValidationOptions = {
  messages,
  errors: { label: false, wrap: { array: false } },
};

/**
 * Number of values in a body above which only the first fault is reported. joi takes seconds to find 100,000
 * faults.
 */
const maxSearched = 5000;

/** The schema of an operation without query parameters. */
const noParameters = Joi.object({});

/** Collects the faults of params, query and body, so that one response lists all. */
export class Validation {
  readonly #errors = Object.create(null) as FieldErrors; // a path may be called `__proto__`
  readonly #named: Violation[] = [];

  /** Validates one part. The result is valid only if `done` does not throw. */
  check(schema: Joi.Schema | undefined, value: unknown, part: Part): unknown {
    const { errors: odd, parts } = examine(withoutIgnored(schema, value));
    for (const [path, messages] of Object.entries(odd)) this.#add(path, ...messages);
    if (Object.keys(odd).length > 0) return undefined;
    const hasMembers = parts > 1;
    const rules = schema ?? (part === 'query' && hasMembers ? noParameters : undefined);
    if (rules === undefined) return part === 'body' ? undefined : {};
    // joi compiles the messages of every call that passes some: half of the CPU of a small request.
    const outcome = rules.validate(value);
    if (outcome.error === undefined) {
      if (part === 'body') this.#sameTypes(value, outcome.value, []);
      return outcome.value as unknown;
    }
    const { error } = rules.validate(value, { ...whenInvalid, abortEarly: parts > maxSearched });
    for (const fault of error!.details) {
      const [path, message] = describeFault(fault, { rules, value, part });
      this.#add(path, message);
      if (this.#named.length < fieldErrorLimit)
        this.#named.push({ path, rule: fault.type, params: paramsOf(fault), message });
    }
    return undefined;
  }

  add(path: string, message: string): void {
    this.#add(path, message);
  }

  get hasFaults(): boolean {
    return Object.keys(this.#errors).length > 0;
  }

  /** @throws {Problem} `validation_failed` with every invalid field */
  done(): void {
    const [first, ...others] = Object.keys(this.#errors);
    if (first === undefined) return;
    const tooMany = `More than ${fieldErrorLimit} fields are not valid; these are the first.`;
    const detail = others.length >= fieldErrorLimit ? tooMany : undefined;
    throw validationProblem(this.#errors, detail, this.#named);
  }

  #add(path: string, ...messages: string[]): void {
    (this.#errors[path] ??= []).push(...messages);
  }

  /** Rejects strings that joi converted: in JSON `"true"` is not a boolean and `"5"` is not a number. */
  #sameTypes(sent: unknown, got: unknown, path: (string | number)[]): void {
    if (typeof sent === 'string' && (typeof got === 'boolean' || typeof got === 'number')) {
      this.#add(jsonPath(path), `must be a ${typeof got}`);
    } else if (Array.isArray(sent) && Array.isArray(got) && sent.length === got.length) {
      sent.forEach((element: unknown, index) => this.#sameTypesAt(index, element, got[index], path));
    } else if (isObject(sent) && isObject(got)) {
      for (const name of Object.keys(sent)) {
        if (Object.hasOwn(got, name)) this.#sameTypesAt(name, sent[name], got[name], path);
      }
    }
  }

  #sameTypesAt(name: string | number, sent: unknown, got: unknown, path: (string | number)[]): void {
    path.push(name);
    this.#sameTypes(sent, got, path);
    path.pop();
  }
}

/** A body without the members that are taken and ignored, whatever they hold. */
function withoutIgnored(schema: Joi.Schema | undefined, value: unknown): unknown {
  if (!isObject(value)) return value;
  const ignored = ignoredOf(schema).filter((name) => Object.hasOwn(value, name));
  if (ignored.length === 0) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !ignored.includes(name)));
}

const ignoredMembers = new WeakMap<Joi.Schema, readonly string[]>();

function ignoredOf(schema: Joi.Schema | undefined): readonly string[] {
  if (schema === undefined) return [];
  let names = ignoredMembers.get(schema);
  if (names === undefined) {
    const { keys = {} } = schema.describe() as { keys?: Record<string, Joi.Description> };
    names = Object.keys(keys).filter((name) => isIgnored(keys[name]!));
    ignoredMembers.set(schema, names);
  }
  return names;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The query parameters of a request, not validated. */
export function queryOf({ url = '' }: Pick<IncomingMessage, 'url'>): Record<string, unknown> {
  const queryAt = url.indexOf('?');
  return queryAt < 0 ? {} : { ...parseQuery(url.slice(queryAt + 1)) };
}

/**
 * Validates the query of a request that `serve` does not handle. Without a schema no parameter is allowed.
 * @throws {Problem} `validation_failed`
 */
export function assertParameters(
  schema: Joi.Schema | undefined,
  request: Pick<IncomingMessage, 'url'>,
): void {
  const validation = new Validation();
  validation.check(schema, queryOf(request), 'query');
  validation.done();
}

interface Checked {
  rules: Joi.Schema;
  value: unknown;
  part: Part;
}

/** Names of the values of joi's rules that a message can use. Others can have values of the request. */
const shownParams = ['limit', 'valids', 'peers', 'peer', 'format', 'multiple'] as const;

function paramsOf({ context }: Fault): Record<string, unknown> {
  const isPlain = (value: unknown): boolean =>
    Array.isArray(value) ? value.every(isPlain) : ['string', 'number', 'boolean'].includes(typeof value);
  return Object.fromEntries(
    shownParams.map((name) => [name, context?.[name]] as const).filter(([, value]) => isPlain(value)),
  );
}

/** The path of a fault and its message. */
function describeFault(
  { path, type, message, context }: Fault,
  { rules, value, part }: Checked,
): [string, string] {
  if (part === 'query') {
    if (type === 'object.unknown') return [jsonPath(path), unknownParameter(String(path[0]), rules)];
    if (path.length === 0) return [String(context?.['main'] ?? 'query'), message];
    if (isRepeated(value, path, type)) return [jsonPath(path), 'may be given only once'];
  }
  if (type === 'object.unknown') return [jsonPath(path), message + hintFor(path, rules)];
  const ofMember = typeof path.at(-1) === 'string' && part === 'body';
  if (ofMember && context?.['value'] === null) return [jsonPath(path), 'is required and must not be null'];
  return [jsonPath(path), message];
}

/** Parameters of the few lists that have page numbers. */
const pageNumbers = new Set(['page', 'pageSize']);

function unknownParameter(name: string, rules: Joi.Schema): string {
  const known = membersAt(rules.describe(), []);
  if (known.length === 0) return 'is not a known parameter; this operation has none';
  if (pageNumbers.has(name) && known.includes('after'))
    return 'is not a known parameter; use limit and after';
  return `is not a known parameter${didYouMean(name, known)}`;
}

const hintFor = (path: (string | number)[], rules: Joi.Schema): string =>
  didYouMean(String(path.at(-1)), membersAt(rules.describe(), path.slice(0, -1)));

function didYouMean(name: string, known: readonly string[]): string {
  const closest = closestName(name, known);
  return closest === undefined ? '' : `; did you mean ${JSON.stringify(closest)}?`;
}

/** Names of the members of an object within a schema; none where the schema has alternatives. */
function membersAt(description: Joi.Description, path: readonly (string | number)[]): string[] {
  const { keys = {}, items = [] } = description as {
    keys?: Record<string, Joi.Description>;
    items?: Joi.Description[];
  };
  const [step, ...deeper] = path;
  if (step === undefined) return Object.keys(keys).filter((name) => !isIgnored(keys[name]!));
  const inner = typeof step === 'number' ? items[0] : Object.hasOwn(keys, step) ? keys[step] : undefined;
  return inner === undefined ? [] : membersAt(inner, deeper);
}

const isIgnored = ({ flags }: Joi.Description): boolean => flags?.['result' as never] === 'strip';

function isRepeated(value: unknown, path: (string | number)[], type: string): boolean {
  const [name] = path;
  return path.length === 1 && type.endsWith('.base') && isObject(value) && Array.isArray(value[String(name)]);
}
