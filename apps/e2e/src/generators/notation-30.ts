/**
 * OpenAPI Generator 7.0.0 reads no type in a document of OpenAPI 3.1: `{ "type": "string" }` becomes
 * `interface{}` in Go, and any `pattern` ends it for Python. Later versions rewrite the notation of 3.1
 * first (their rule NORMALIZE_31SPEC), but the registries that the tests use have none of them. So this does
 * what that rule does: it changes how null, constants and examples are written, and leaves out what
 * generators ignore.
 */
type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members whose value is data, not a part of the document. */
const data = new Set(['example', 'examples', 'enum', 'const', 'mapping']);

/** What OpenAPI 3.0 does not know and generators ignore: conditions, remarks, the name of a licence. */
const ignored = new Set([
  'if',
  'then',
  'propertyNames',
  '$comment',
  'contentMediaType',
  'contentSchema',
  'identifier',
]);

/** Returns an OpenAPI 3.1 document in the notation of OpenAPI 3.0. */
export function inNotation30(document: Json & { info: Json }): Json {
  const { summary: _, ...info } = document.info;
  return rewritten({ ...document, info, openapi: '3.0.3' }) as Json;
}

function rewritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewritten);
  if (!isObject(value)) return value;
  const known = Object.entries(value).filter(([name]) => !ignored.has(name));
  const members = known.map(([name, member]) => {
    // A member of a schema may have any name, also that of a keyword.
    if (name === 'properties' && isObject(member))
      return [name, Object.fromEntries(Object.entries(member).map(([key, one]) => [key, rewritten(one)]))];
    return [name, data.has(name) ? member : rewritten(member)];
  });
  return [withOneType, withoutNull, withEnum, withExample].reduce(
    (schema, rule) => rule(schema),
    Object.fromEntries(members) as Json,
  );
}

/** `type: [string, null]` is `nullable`; several other types are alternatives. */
function withOneType({ type, ...rest }: Json): Json {
  if (type === undefined) return rest;
  if (!Array.isArray(type)) return { type, ...rest };
  const others = type.filter((one) => one !== 'null');
  const nullable = others.length < type.length && { nullable: true };
  if (others.length === 1) return { type: others[0], ...rest, ...nullable };
  return { ...rest, ...nullable, anyOf: others.map((one) => ({ type: one })) };
}

/** An alternative that is null makes the other one `nullable`. */
function withoutNull({ anyOf, ...rest }: Json): Json {
  if (!Array.isArray(anyOf)) return anyOf === undefined ? rest : { ...rest, anyOf };
  const others = anyOf.filter((one) => !(isObject(one) && one['type'] === 'null'));
  if (others.length === anyOf.length) return { ...rest, anyOf };
  return { ...rest, nullable: true, anyOf: others };
}

/**
 * A constant is the only value of an enumeration. That of a number is left out: 7.0.0 writes
 * `value not in (404)` in Python, which fails, because (404) is no list.
 */
const withEnum = ({ const: value, ...rest }: Json): Json =>
  value === undefined || typeof value === 'number' ? rest : { ...rest, enum: [value] };

/** A list of examples is that of a schema; elsewhere they have names. */
const withExample = ({ examples, ...rest }: Json): Json => {
  if (examples === undefined) return rest;
  return Array.isArray(examples) ? { ...rest, example: examples[0] } : { ...rest, examples };
};
