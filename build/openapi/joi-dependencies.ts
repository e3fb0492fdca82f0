import type { JsonSchema } from './components';
import type { JoiDescription } from './joi-description';

type Dependency = NonNullable<JoiDescription['dependencies']>[number];

/** A dependency between members in words. */
export const relationOf = ({ rel, key, peers }: Dependency): string =>
  rel === 'with' || rel === 'without'
    ? `${String(key)} only ${rel} ${peers.join(', ')}.`
    : `${{ xor: 'Exactly one', or: 'At least one', oxor: 'At most one', and: 'All or none', nand: 'Not all' }[rel] ?? rel} of ${peers.join(', ')}.`;

/**
 * The objects that a dependency between members refuses. They stand below `if`. Elsewhere, generators of
 * clients take `oneOf` and `anyOf` of an object for its members.
 *
 * @param isNullable whether null means that the member is absent
 * @throws {Error} for a dependency that has no translation
 */
export function refusedBy(
  { rel, key, peers }: Dependency,
  isNullable: (name: string) => boolean,
): JsonSchema[] {
  const names = peers.map(String);
  const valueOf = (name: string) => [name, isNullable(name) ? { not: { type: 'null' } } : {}];
  const has = (...members: string[]): JsonSchema => ({
    required: members,
    properties: Object.fromEntries(members.map(valueOf)) as object,
  });
  const none: JsonSchema = { not: { anyOf: names.map((name) => has(name)) } };
  const pairs = names.flatMap((one, n) => names.slice(n + 1).map((other) => has(one, other)));
  if (rel === 'or') return [none];
  if (rel === 'xor') return [none, ...pairs];
  if (rel === 'with') return names.map((name) => ({ ...has(String(key)), not: has(name) }));
  if (rel === 'without') return names.map((name) => has(String(key), name));
  throw new Error(`The dependency ${rel} has no translation; see joi-dependencies.ts.`);
}
