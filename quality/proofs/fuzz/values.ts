import type { Random } from '@canvass/testing';
import type { JsonSchema } from '@canvass/openapi';
import { oddTexts } from './odd-values';

/** Good values for members by their name, where a schema alone does not say enough to be understood. */
export type Samples = Readonly<Record<string, readonly unknown[]>>;

/** Fits one of the patterns that the document has, or one of its formats. */
const texts: readonly string[] = [
  'en',
  'de',
  'pt-br',
  'Ada',
  'a',
  'zażółć',
  '7',
  '0',
  '2026-11-20T12:00:00.000Z',
  'a@b.example',
  'correct horse battery',
  'https://127.0.0.1:9/',
  'x'.repeat(43),
];

/** Makes values that a schema of the document allows: of its types, within its limits, with the members it requires. */
export class Values {
  constructor(
    private readonly random: Random,
    private readonly schemas: Readonly<Record<string, JsonSchema>>,
    private readonly samples: Samples,
  ) {}

  /** @param name of the member or parameter that the value is for */
  of(schema: JsonSchema, name = '', depth = 0): unknown {
    const { random } = this;
    const sample = this.samples[name];
    if (sample !== undefined && random.chance(0.85)) return random.pick(sample);
    const { $ref, anyOf, oneOf, examples } = schema as Told;
    if ($ref !== undefined) {
      const component = $ref.split('/').at(-1)!;
      if (component === 'Id') return random.pick(this.samples['id'] ?? ['1']);
      return this.of(this.schemas[component]!, name, depth);
    }
    if (examples !== undefined && random.chance(0.3)) return withinLoopback(random.pick(examples));
    const choice = anyOf ?? oneOf;
    if (choice !== undefined) return this.of(random.pick(choice), name, depth);
    return this.#typed(schema as Told, depth);
  }

  #typed(schema: Told, depth: number): unknown {
    const { random } = this;
    if (schema.enum !== undefined) return random.pick(schema.enum);
    if (schema.const !== undefined) return schema.const;
    const types = [schema.type ?? ['string', 'object', 'null']].flat();
    switch (random.pick(types)) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return this.#list(schema, depth);
      case 'integer':
        return random.pick([schema.minimum ?? 0, Math.min(schema.maximum ?? 7, 7), schema.maximum ?? 1]);
      case 'number':
        return random.pick([schema.minimum ?? 0.5, schema.maximum ?? 1.5]);
      case 'boolean':
        return random.chance(0.5);
      case 'null':
        return null;
      default:
        return this.#text(schema);
    }
  }

  #text({ minLength = 0, maxLength = 1_000, pattern, format }: Told): string {
    const { random } = this;
    if (format === 'date-time') return new Date(1.76e12 + random.between(0, 1e10)).toISOString();
    if (format === 'email') return `${random.between(0, 1e9)}@fuzz.example`;
    if (pattern === undefined && random.chance(0.1)) return 'y'.repeat(maxLength);
    const fits = [...texts, ...oddTexts].filter(
      (text) =>
        text.length >= minLength &&
        text.length <= maxLength &&
        (pattern === undefined || new RegExp(pattern, 'u').test(text)),
    );
    return fits.length === 0 ? 'a'.repeat(minLength) : random.pick(fits);
  }

  #object({ properties = {}, required = [], additionalProperties }: Told, depth: number): object {
    const { random } = this;
    const members: [string, unknown][] = Object.entries(properties)
      .filter(
        ([key, member]) =>
          !('not' in member) &&
          (required.includes(key) || random.chance(this.samples[key] === undefined ? 0.5 : 0.8)),
      )
      .map(([key, member]) => [key, this.of(member, key, depth + 1)]);
    const further = typeof additionalProperties === 'object' && depth < 4 ? random.between(0, 2) : 0;
    for (let count = 0; count < further; count += 1)
      members.push([random.pick(texts), this.of(additionalProperties as JsonSchema, '', depth + 1)]);
    return Object.fromEntries(members);
  }

  #list({ items = {}, minItems = 0, maxItems = 3 }: Told, depth: number): unknown[] {
    const length = depth > 4 ? minItems : this.random.between(minItems, Math.min(maxItems, minItems + 3));
    return Array.from({ length }, () => this.of(items, '', depth + 1));
  }
}

/** The keywords that are looked at. */
interface Told {
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

/** An example may name a host; what the services send because of a fuzzed request stays on this machine. */
const withinLoopback = (example: unknown): unknown =>
  JSON.parse(JSON.stringify(example).replaceAll(/https?:\/\/[\w.-]+/g, 'http://127.0.0.1:9')) as unknown;
