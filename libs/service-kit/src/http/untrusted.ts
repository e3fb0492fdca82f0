import { fieldErrorLimit, type FieldErrors } from '@canvass/errors';

/** Maximum nesting of arrays and objects in a body. */
const deepestJson = 64;

/** Postgres cannot store U+0000, and UTF-8 cannot encode a lone surrogate. */
const unstorable = /[\0\p{Surrogate}]/u;

const textFault = 'contains a character that cannot be stored (U+0000 or a lone surrogate)';

/** `['items', 3, 'value']` → `items[3].value`. Names that are not identifiers are quoted. */
export function jsonPath(path: readonly (string | number)[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(part)) text += text === '' ? part : `.${part}`;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text === '' ? '$' : text;
}

/**
 * Checks a parsed body for faults that schemas do not cover: text that cannot be stored (in values and in
 * names), `__proto__` members, numbers out of range, nesting deeper than 64. At most 100 faults.
 * `parts` is the number of values.
 */
export function examine(root: unknown): { errors: FieldErrors; parts: number } {
  const walk = new Walk();
  walk.visit(root);
  return walk;
}

/** Uses one mutable path instead of one per value, because an import may have a million values. */
class Walk {
  readonly errors = Object.create(null) as FieldErrors; // a path may be called `__proto__`
  parts = 0;
  readonly #path: (string | number)[] = [];
  #count = 0;

  visit(value: unknown): void {
    this.parts += 1;
    if (typeof value === 'string') {
      if (unstorable.test(value)) this.#fault(textFault);
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) this.#fault('is a number out of range');
    } else if (typeof value === 'object' && value !== null) {
      this.#members(value);
    }
  }

  /** The recursion is bounded by `deepestJson`. */
  #members(value: object): void {
    if (this.#path.length >= deepestJson) {
      this.#fault(`is nested deeper than ${deepestJson} levels`);
    } else if (Array.isArray(value)) {
      for (let index = 0; index < value.length && this.#count < fieldErrorLimit; index += 1) {
        this.#step(index, value[index]);
      }
    } else {
      for (const name of Object.keys(value)) {
        if (this.#count >= fieldErrorLimit) return;
        this.#step(name, (value as Record<string, unknown>)[name]);
      }
    }
  }

  #step(name: string | number, value: unknown): void {
    this.#path.push(name);
    if (name === '__proto__') this.#fault('is not allowed as a name');
    else if (typeof name === 'string' && unstorable.test(name)) this.#fault(textFault);
    else this.visit(value);
    this.#path.pop();
  }

  #fault(message: string): void {
    this.errors[jsonPath(this.#path)] = [message];
    this.#count += 1;
  }
}
