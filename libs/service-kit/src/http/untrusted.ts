import { fieldErrorLimit, type FieldErrors } from '@canvass/errors';

/** The most levels of arrays and objects a body may have. */
export const deepestJson = 64;

/** U+0000 cannot be stored by Postgres, a lone surrogate cannot be written as UTF-8. */
const unstorable = /[\0\p{Surrogate}]/u;

export const textFault = 'contains a character that cannot be stored (U+0000 or a lone surrogate)';

/** `items` + 3 → `items[3]`, `items[3]` + `value` → `items[3].value`; odd names are quoted. */
export function jsonPath(path: readonly (string | number)[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(part)) text += text === '' ? part : `.${part}`;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text === '' ? '$' : text;
}

type Frame = { value: unknown; path: (string | number)[] };

/**
 * Looks through a parsed body for what no schema asks about: text that cannot be stored (in values and in names),
 * `__proto__` members, numbers beyond the range of a double, nesting deeper than 64. Iterative: depth costs no stack.
 */
export function untrustedFaults(root: unknown): FieldErrors {
  const errors = Object.create(null) as FieldErrors; // a path may be called `__proto__`
  const stack: Frame[] = [{ value: root, path: [] }];
  let count = 0;
  const fault = (path: (string | number)[], message: string) => {
    errors[jsonPath(path)] = [message];
    count += 1;
  };
  for (let frame = stack.pop(); frame !== undefined && count < fieldErrorLimit; frame = stack.pop()) {
    const { value, path } = frame;
    if (typeof value === 'string') {
      if (unstorable.test(value)) fault(path, textFault);
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) fault(path, 'is a number out of range');
    } else if (typeof value === 'object' && value !== null) {
      if (path.length >= deepestJson) fault(path.slice(0, 8), `is nested deeper than ${deepestJson} levels`);
      else pushMembers(stack, value, path, fault);
    }
  }
  return errors;
}

function pushMembers(
  stack: Frame[],
  value: object,
  path: (string | number)[],
  fault: (path: (string | number)[], message: string) => void,
): void {
  if (Array.isArray(value)) {
    for (let index = value.length - 1; index >= 0; index -= 1) {
      // Most elements of a big import are strings: do not build a path for each of them.
      const element: unknown = value[index];
      if (typeof element === 'string' && !unstorable.test(element)) continue;
      stack.push({ value: element, path: [...path, index] });
    }
    return;
  }
  for (const [name, member] of Object.entries(value).reverse()) {
    if (name === '__proto__') fault([...path, name], 'is not allowed as a name');
    else if (unstorable.test(name)) fault([...path, name], textFault);
    else if (typeof member !== 'string' || unstorable.test(member)) {
      stack.push({ value: member, path: [...path, name] });
    }
  }
}
