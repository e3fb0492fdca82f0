import type Joi from 'joi';
import { messages } from './messages';

type Path = (string | number)[];
export type Fault = Pick<Joi.ValidationErrorItem, 'path' | 'type' | 'message' | 'context'>;

/** Bodies with more values than this are not searched for every fault: joi takes seconds for 100,000 of them. */
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
 * Validates and tells the faults. A value of up to 5,000 parts is searched whole. A bigger one is checked up to its
 * first fault, and then a window of it around that fault is searched, so that the work stays bounded whatever is sent.
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

/** A small copy of a big value that holds the part at `focus` and some of what follows it. */
class Window {
  readonly value: unknown;
  #budget = windowSize;
  /** Where elements or members were left out, and by how much the indexes moved. */
  readonly #cut = new Map<string, number>();

  constructor(whole: unknown, focus: Path) {
    this.value = this.#copy(whole, [], focus);
  }

  /** Faults with their indexes in the whole value; without those that only the cutting has made. */
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
