import { isDeepStrictEqual } from 'node:util';

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 has it. */
export type JsonSchema = Record<string, unknown>;

/** The members that have a value. */
export const present = <T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;

/** The schema of one value, with its type: some generators do not derive it. */
export const constant = (value: string | number | boolean): JsonSchema => ({
  type: typeof value === 'number' ? 'integer' : typeof value,
  const: value,
});

/** Facts of a use, not of the component: they stand beside the `$ref`. */
const ofTheUse = ['description', 'examples', 'deprecated'];

/** The schemas that have a name, each described once. */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>();

  /**
   * A reference to the component of this name.
   *
   * @throws {Error} when two different schemas have one name
   */
  refer(name: string, schema: JsonSchema): JsonSchema {
    if (!/^[A-Za-z0-9._-]+$/.test(name)) throw new Error(`"${name}" cannot be the name of a component.`);
    const known = this.#schemas.get(name);
    if (known === undefined) this.#schemas.set(name, schema);
    else if (!isDeepStrictEqual(essenceOf(known), essenceOf(schema))) {
      throw new Error(
        `Two different schemas are called ${name}:\n${JSON.stringify(known)}\n${JSON.stringify(schema)}`,
      );
    }
    const differs = ofTheUse.filter(
      (fact) => schema[fact] !== undefined && !isDeepStrictEqual(schema[fact], (known ?? schema)[fact]),
    );
    const facts = Object.fromEntries(differs.map((fact) => [fact, schema[fact]]));
    return { $ref: `#/components/schemas/${name}`, ...facts };
  }

  /** The component that a reference of `refer` names. */
  get(ref: string): JsonSchema {
    return this.#schemas.get(ref.split('/').at(-1)!) ?? {};
  }

  /** Returns the schemas by name. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

const essenceOf = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([fact]) => !ofTheUse.includes(fact)));
