import type Joi from 'joi';
import { messages } from './messages';

type Path = (string | number)[];
export type Fault = Pick<Joi.ValidationErrorItem, 'path' | 'type' | 'message' | 'context'>;

/** In bodies with more values than this, not every fault is reported: joi takes seconds for 100,000 faults. */
const windowSize = 5000;
const perContainer = 500;

const options: Joi.ValidationOptions = {
  convert: true,
  presence: 'optional',
  messages,
  errors: { label: false, wrap: { array: false } },
};

export interface Outcome {
  value: unknown;
  faults: Fault[];
}

/**
 * Validates `value` and returns the faults. With up to 5,000 parts all faults are returned. A larger value is validated
 * up to its first fault, then a window around that fault is validated completely. This bounds the work per request.
 */
export function faultsOf(schema: Joi.Schema, value: unknown, parts: number): Outcome {
  if (parts <= windowSize) {
    const result = schema.validate(value, { ...options, abortEarly: false });
    return { value: result.value as unknown, faults: result.error?.details ?? [] };
  }
  const first = schema.validate(value, { ...options, abortEarly: true });
  if (first.error === undefined) return { value: first.value as unknown, faults: [] };
  const window = new Window(value, first.error.details[0]?.path ?? []);
  const around = schema.validate(window.value, { ...options, abortEarly: false }).error?.details ?? [];
  const faults = window.real(around);
  return { value, faults: faults.length > 0 ? faults : first.error.details };
}

/** A small copy of a large value: the part at `focus` and some of the following parts. */
class Window {
  readonly value: unknown;
  #budget = windowSize;
  /** Paths where elements or members were left out, with the offset of the indexes. */
  readonly #cut = new Map<string, number>();

  constructor(whole: unknown, focus: Path) {
    this.value = this.#copy(whole, [], focus);
  }

  /** Translates faults to indexes of the whole value, and drops faults that the cutting caused. */
  real(faults: Fault[]): Fault[] {
    return faults.flatMap((fault) => {
      const atCut = this.#cut.has(key(fault.path));
      const belowCut = fault.type === 'any.required' && this.#cut.has(key(fault.path.slice(0, -1)));
      return atCut || belowCut ? [] : [{ ...fault, path: this.#moved(fault.path) }];
    });
  }

  #moved(path: Path): Path {
    return path.map((part, index) =>
      typeof part === 'number' ? part + (this.#cut.get(key(path.slice(0, index))) ?? 0) : part,
    );
  }

  #copy(value: unknown, at: Path, focus: Path | undefined): unknown {
    this.#budget -= 1;
    if (typeof value !== 'object' || value === null) return value;
    const room = Math.max(1, Math.min(perContainer, this.#budget));
    const [target, ...rest] = focus ?? [];
    const below = (name: string | number, original: string | number, member: unknown) =>
      this.#copy(member, [...at, name], original === target ? rest : undefined);
    if (Array.isArray(value)) {
      const from = typeof target === 'number' && value.length > room ? target : 0;
      if (value.length > room) this.#cut.set(key(at), from);
      return value.slice(from, from + room).map((element, index) => below(index, index + from, element));
    }
    const names = Object.keys(value);
    if (names.length > room) this.#cut.set(key(at), 0);
    const kept =
      names.length > room ? [...new Set([...focused(names, target), ...names.slice(0, room)])] : names;
    return Object.fromEntries(
      kept.map((name) => [name, below(name, name, (value as Record<string, unknown>)[name])]),
    );
  }
}

const focused = (names: string[], target: string | number | undefined): string[] =>
  typeof target === 'string' && names.includes(target) ? [target] : [];

const key = (path: Path): string => JSON.stringify(path);
