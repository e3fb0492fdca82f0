import { writeJson } from '@canvass/json-numbers';
import { createHash } from 'node:crypto';

/** Longer texts are recorded by their digest. */
const maxTextLength = 4_000;

/** Changed members with their former and new values. Absent members are null. */
export interface Difference {
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

/**
 * The members that differ between two versions of an object, compared as JSON; null if none does. Texts and
 * values of more than 4,000 characters are replaced by their SHA-256.
 *
 * @param members those that are compared; others may hold personal data or grow with each change
 */
export function difference<T extends object>(
  before: T,
  after: T,
  members: readonly (keyof T & string)[],
): Difference | null {
  const changed = members.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (changed.length === 0) return null;
  const pick = (from: T) => Object.fromEntries(changed.map((name) => [name, shown(from[name])]));
  return { before: pick(before), after: pick(after) };
}

function shown(value: unknown): unknown {
  const text = typeof value === 'string' ? value : writeJson(value ?? null);
  if (text.length <= maxTextLength) return value ?? null;
  return { sha256: createHash('sha256').update(text).digest('hex'), characters: text.length };
}
