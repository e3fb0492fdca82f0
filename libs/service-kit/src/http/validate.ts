import { fieldErrorLimit, validationProblem, type FieldErrors } from '@canvass/errors';
import type Joi from 'joi';
import { faultsOf } from './fault-window';
import { examine, jsonPath } from './untrusted';

/** Collects the faults of params, query and body, so that one answer names them all. */
export class Validation {
  readonly #errors = Object.create(null) as FieldErrors; // a path may be called `__proto__`

  /** Validates one part; the result is only meaningful after `done` did not throw. */
  check(schema: Joi.Schema | undefined, value: unknown, part: 'params' | 'query' | 'body'): unknown {
    const { errors: odd, parts } = examine(value);
    for (const [path, messages] of Object.entries(odd)) this.#add(path, ...messages);
    if (Object.keys(odd).length > 0) return undefined;
    if (schema === undefined) return part === 'body' ? undefined : {};
    // Unknown query parameters are ignored: proxies and browsers add their own.
    const outcome = faultsOf(schema, value, parts, part === 'query');
    for (const { path, type, message } of outcome.faults) {
      const isRepeated = part === 'query' && repeated(value, path, type);
      this.#add(jsonPath(path), isRepeated ? 'may be given only once' : message);
    }
    if (outcome.faults.length === 0 && part === 'body') this.#sameTypes(value, outcome.value, []);
    return outcome.value;
  }

  add(path: string, message: string): void {
    this.#add(path, message);
  }

  /** @throws {Problem} `validation_failed` naming every offending field */
  done(): void {
    const [first, ...others] = Object.entries(this.#errors);
    if (first === undefined) return;
    const [path, [message]] = first;
    const one = `${path === '$' ? 'The body' : path} ${message}.`;
    const tooMany = `More than ${fieldErrorLimit} fields are not valid; these are the first.`;
    const detail = others.length === 0 ? one : others.length >= fieldErrorLimit ? tooMany : undefined;
    throw validationProblem(this.#errors, detail);
  }

  #add(path: string, ...messages: string[]): void {
    (this.#errors[path] ??= []).push(...messages);
  }

  /** JSON has types: `"true"` is not a boolean and `"5"` is not a number, although joi would convert them. */
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function repeated(value: unknown, path: (string | number)[], type: string): boolean {
  const [name] = path;
  return path.length === 1 && type.endsWith('.base') && isObject(value) && Array.isArray(value[String(name)]);
}
