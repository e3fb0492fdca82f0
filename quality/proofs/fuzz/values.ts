import fc, { type Arbitrary } from 'fast-check';
import type { JsonSchema } from '@canvass/openapi';
import { oddText } from './odd-values';

/** Good values of members by name, where the schema alone does not say enough. */
export type Samples = Readonly<Record<string, readonly unknown[]>>;

/** The keywords of a schema that are used. */
interface Keywords {
  $ref?: string;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  examples?: unknown[];
  enum?: unknown[];
  const?: unknown;
  type?: string | string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
}

/** Chooses `usual` with this probability. */
export const mostly = <T>(probability: number, usual: Arbitrary<T>, other: Arbitrary<T>): Arbitrary<T> =>
  fc.oneof(
    { weight: Math.round(probability * 100), arbitrary: usual },
    { weight: Math.round((1 - probability) * 100), arbitrary: other },
  );

/**
 * Returns values that a schema of the document allows. The returned function takes the name of the member.
 */
export function valuesOf(
  schemas: Readonly<Record<string, JsonSchema>>,
  samples: Samples,
): (schema: JsonSchema, name?: string) => Arbitrary<unknown> {
  const valueOf = (schema: JsonSchema, name = '', depth = 0): Arbitrary<unknown> => {
    const known = samples[name];
    const value = valueOfSchema(schema as Keywords, name, depth);
    return known === undefined ? value : mostly(0.85, fc.constantFrom(...known), value);
  };
  const valueOfSchema = (
    { examples, ...schema }: Keywords,
    name: string,
    depth: number,
  ): Arbitrary<unknown> => {
    if (examples !== undefined)
      return mostly(
        0.3,
        fc.constantFrom(...examples.map(withinLoopback)),
        valueOfSchema(schema, name, depth),
      );
    const { $ref, anyOf, oneOf, ...rest } = schema;
    if ($ref !== undefined) {
      const component = $ref.split('/').at(-1)!;
      if (component === 'Id') return fc.constantFrom(...(samples['id'] ?? ['1']));
      return valueOf(schemas[component]!, name, depth);
    }
    const choices = anyOf ?? oneOf;
    if (choices !== undefined) return fc.oneof(...choices.map((each) => valueOf(each, name, depth)));
    if (rest.enum !== undefined) return fc.constantFrom(...rest.enum);
    if (rest.const !== undefined) return fc.constant(rest.const);
    const types = [rest.type ?? ['string', 'object', 'null']].flat();
    return fc.oneof(...types.map((type) => valueOfType(type, rest, depth)));
  };
  const valueOfType = (type: string, schema: Keywords, depth: number): Arbitrary<unknown> => {
    const { minimum = 0, maximum = minimum + 7, items = {}, minItems = 0, maxItems = 3 } = schema;
    switch (type) {
      case 'object':
        return objectOf(schema, depth);
      case 'array':
        return fc.array(valueOf(items, '', depth + 1), {
          minLength: minItems,
          maxLength: depth > 4 ? minItems : Math.min(maxItems, minItems + 3),
        });
      case 'integer':
        return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum));
      case 'number':
        return fc.double({ min: minimum, max: maximum, noNaN: true });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      default:
        return textOf(schema);
    }
  };
  const objectOf = (schema: Keywords, depth: number): Arbitrary<object> => {
    const { properties = {}, required = [], additionalProperties } = schema;
    const members = Object.entries(properties).filter(([, member]) => !('not' in member));
    const known = fc.record(
      Object.fromEntries(members.map(([name, member]) => [name, valueOf(member, name, depth + 1)])),
      { requiredKeys: required.filter((name) => name in properties) },
    );
    if (typeof additionalProperties !== 'object' || depth >= 4) return known;
    const further = fc.dictionary(fc.constantFrom(...texts), valueOf(additionalProperties, '', depth + 1), {
      maxKeys: 2,
    });
    return fc.tuple(known, further).map((parts) => Object.assign({}, ...parts) as object);
  };
  return valueOf;
}

const texts = ['en', 'de', 'pt-br', 'Ada', 'a', 'zażółć', '7', '0', 'correct horse battery'];

function textOf({ minLength = 0, maxLength = 1_000, pattern, format }: Keywords): Arbitrary<string> {
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength;
  if (format === 'date-time') {
    const [min, max] = [new Date('2025-10-01'), new Date('2026-02-01')];
    return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString());
  }
  if (format === 'email') return fc.nat().map((n) => `${n}@fuzz.example`);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u')).filter(fits);
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('x'.repeat(minLength), ...texts.filter(fits)) },
    { weight: 4, arbitrary: oddText.filter(fits) },
    { weight: 1, arbitrary: fc.constant('y'.repeat(maxLength)) },
  );
}

/** An example may name a host. What the services send because of a fuzzed request stays on this machine. */
const withinLoopback = (example: unknown): unknown =>
  JSON.parse(JSON.stringify(example).replaceAll(/https?:\/\/[\w.-]+/g, 'http://127.0.0.1:9'));
