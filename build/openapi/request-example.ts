import type { JsonSchema } from './components';

/**
 * An example of a request body: that of the schema, else the examples of its members. Members without an
 * example are left out, unless they are required.
 *
 * @param find the component that a `$ref` names
 * @throws {Error} if a required member has no example
 */
export function requestExampleOf(schema: JsonSchema, find: (ref: string) => JsonSchema): unknown {
  const found = exampleOf(schema, find);
  if (found === undefined) throw new Error(`A request body has no example: ${JSON.stringify(schema)}`);
  return found;
}

function exampleOf(schema: JsonSchema, find: (ref: string) => JsonSchema): unknown {
  const { examples, $ref, enum: values, anyOf, properties, items } = schema as Parts;
  if (examples !== undefined) return examples[0];
  if ($ref !== undefined) return exampleOf(find($ref), find);
  if ('const' in schema) return schema['const'];
  if (values !== undefined) return values[0];
  if (schema['type'] === 'boolean') return true;
  if (properties !== undefined) return objectOf(schema as Parts, properties, find);
  if (anyOf !== undefined) return anyOf.map((one) => exampleOf(one, find)).find((one) => one !== undefined);
  if (items !== undefined) {
    const item = exampleOf(items, find);
    return item === undefined ? undefined : [item];
  }
  return undefined;
}

interface Parts {
  examples?: unknown[];
  $ref?: string;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
}

function objectOf(
  { required = [] }: Parts,
  properties: Record<string, JsonSchema>,
  find: (ref: string) => JsonSchema,
): object | undefined {
  const members = Object.entries(properties).map(
    ([name, member]) => [name, exampleOf(member, find)] as const,
  );
  const missing = members.find(([name, value]) => value === undefined && required.includes(name));
  if (missing !== undefined)
    throw new Error(`The required member ${missing[0]} of a request has no example.`);
  const known = members.filter(([, value]) => value !== undefined);
  return known.length === 0 && members.length > 0 ? undefined : Object.fromEntries(known);
}
