import type Joi from 'joi';
import { isDeepStrictEqual } from 'node:util';
import { constant, present, type Components, type JsonSchema } from './components';
import { refusedBy, relationOf } from './joi-dependencies';
import { metaOf, nameOf, outcomesOf, type JoiDescription } from './joi-description';
import { patternOf, ruleKeywords } from './joi-rules';

export interface Conversion {
  components: Components;
  /**
   * `closed`: an object has no members but those that its schema names. Requests are checked so, and in
   * tests answers; published answers are `open`, because a client must not break when a member is added.
   */
  objects: 'closed' | 'open';
  /** Leaves out the patterns of times: generated clients parse a time first, and then match it. */
  areTimesParsed?: boolean;
}

/**
 * The JSON Schema of a joi schema. Schemas with a name become components. What joi cannot describe (a
 * `custom` rule on any value) is in `.meta({ jsonSchema: {…} })`, which is used as it is. A text that is JSON has the
 * description of what it holds in `.meta({ contentSchema: schema.describe() })`. Objects that code refuses are in
 * `.meta({ refuses: [{…}] })`, as schemas. `joi`'s own
 * `~standard.jsonSchema` has no names, examples or custom rules, and ignores what it cannot translate.
 *
 * @throws {Error} when something is checked that the result would be silent about
 */
export const jsonSchemaOf = (schema: Joi.Schema, conversion: Conversion): JsonSchema =>
  convertDescription(schema.describe() as JoiDescription, conversion);

/** The same for the `describe()` of a schema. */
export const convertDescription = (description: JoiDescription, conversion: Conversion): JsonSchema =>
  new Converter(conversion).convert(description);

class Converter {
  constructor(private readonly conversion: Conversion) {}

  convert(schema: JoiDescription): JsonSchema {
    const { flags = {}, examples } = schema;
    const { jsonSchema, format, contentSchema } = metaOf(schema);
    const facts: JsonSchema = present({ description: textOf(flags), examples });
    const own = typeof jsonSchema === 'object' ? { ...(jsonSchema as JsonSchema) } : this.#typed(schema);
    if (typeof format === 'string') own['format'] = format;
    if (own['format'] === 'date-time' && this.conversion.areTimesParsed) delete own['pattern'];
    if (contentSchema !== undefined) {
      own['contentMediaType'] = 'application/json';
      own['contentSchema'] = this.convert(contentSchema as JoiDescription);
    }
    const name = nameOf(schema);
    const nullable = allowedOf(schema).includes(null) && flags.only !== true;
    if (name === undefined) return { ...(nullable ? orNull(own) : own), ...facts };
    if (!nullable) return this.conversion.components.refer(name, { ...own, ...facts });
    return { ...orNull(this.conversion.components.refer(name, own)), ...facts };
  }

  #typed(schema: JoiDescription): JsonSchema {
    if (schema.flags?.result === 'strip') return { description: 'Taken and ignored.' };
    if (schema.flags?.only === true) return enumOf(schema);
    const { kinds } = metaOf(schema);
    if (kinds !== undefined) return this.#oneOf(kinds as Kinds);
    if (schema.whens !== undefined) return this.#anyOf(schema.whens.flatMap(outcomesOf));
    switch (schema.type) {
      case 'any':
        if (schema.rules !== undefined)
          throw new Error(
            `${JSON.stringify(schema)} is checked by code: describe it by .meta({ jsonSchema }).`,
          );
        return {};
      case 'alternatives':
        return this.#anyOf((schema.matches ?? []).flatMap(outcomesOf));
      case 'object':
        return { type: 'object', ...this.#members(schema), ...ruleKeywords(schema) };
      case 'array':
        return { type: 'array', ...this.#items(schema), ...ruleKeywords(schema) };
      case 'date':
        return { type: 'string', format: 'date-time' };
      case 'string': {
        const emptyIsFine = allowedOf(schema).includes('');
        return { type: 'string', ...(emptyIsFine ? {} : { minLength: 1 }), ...ruleKeywords(schema) };
      }
      case 'number':
      case 'boolean':
        return { type: schema.type, ...ruleKeywords(schema) };
      default:
        throw new Error(`The joi type ${schema.type} has no translation.`);
    }
  }

  #members(schema: JoiDescription): JsonSchema {
    const { keys, patterns = [], flags = {}, dependencies = [] } = schema;
    const entries = Object.entries(keys ?? {});
    const taken = entries.filter(([, member]) => member.flags?.presence !== 'forbidden');
    const forbidden = entries.filter(([, member]) => member.flags?.presence === 'forbidden');
    const required = taken.filter(([, { flags: of }]) => of?.presence === 'required').map(([key]) => key);
    const free = flags.unknown === true || (keys === undefined && patterns.length === 0);
    const others = patterns.filter(({ regex }) => regex === undefined);
    const named = patterns.filter(({ regex }) => regex !== undefined);
    const closed = !free && this.conversion.objects === 'closed';
    const isNullable = (name: string) => allowedOf(keys?.[name] ?? { type: 'any' }).includes(null);
    const refused = [
      ...dependencies.flatMap((dependency) => refusedBy(dependency, isNullable)),
      ...((metaOf(schema)['refuses'] as JsonSchema[] | undefined) ?? []),
    ];
    const twins = twinsOf(taken);
    const properties = [
      ...taken.filter(([key]) => !twins.includes(key)).map(([key, member]) => [key, this.convert(member)]),
      ...(closed ? [] : forbidden.map(([key, member]) => [key, forbiddenOf(member)])),
    ];
    const patternProperties = named.map(({ regex, rule }) => [patternOf(regex!), this.convert(rule)]);
    const isAny = keys === undefined && named.length === 0;
    return present({
      properties: taken.length + forbidden.length === 0 ? undefined : Object.fromEntries(properties),
      required: required.length === 0 ? undefined : required,
      patternProperties: named.length === 0 ? undefined : Object.fromEntries(patternProperties),
      ...(closed && twins.length > 0
        ? { propertyNames: { enum: taken.map(([key]) => key) } }
        : {
            additionalProperties:
              others[0] !== undefined ? this.convert(others[0].rule) : closed || isAny ? !closed : undefined,
          }),
      ...refusalOf(refused),
      $comment: dependencies.length === 0 ? undefined : dependencies.map(relationOf).join(' '),
    }) as JsonSchema;
  }

  #items({ items = [] }: JoiDescription): JsonSchema {
    if (items.length === 0) return {};
    return { items: items.length === 1 ? this.convert(items[0]!) : this.#anyOf(items) };
  }

  #oneOf({ member, of }: Kinds): JsonSchema {
    const kinds = of.map((kind) => [kind, this.convert(kind)] as const);
    const mapping = kinds.map(([{ keys = {} }, { $ref }]) => [String(allowedOf(keys[member]!)[0]), $ref]);
    const discriminator = { propertyName: member, mapping: Object.fromEntries(mapping) as object };
    return { oneOf: kinds.map(([, schema]) => schema), discriminator };
  }

  #anyOf(schemas: readonly JoiDescription[]): JsonSchema {
    const all = schemas.map((schema) => this.convert(schema));
    const distinct = all.filter((one, n) => all.findIndex((other) => isDeepStrictEqual(one, other)) === n);
    return distinct.length === 1 ? distinct[0]! : { anyOf: distinct };
  }
}

/** `.meta({ kinds })` of an object: the schemas that it may have, with names, by the only value of a member. */
interface Kinds {
  member: string;
  of: JoiDescription[];
}

/**
 * The description, with the default in words: as a keyword it makes the types of generated clients require
 * the member, and their requests send it, which rules out other members.
 */
function textOf({ description, default: value }: NonNullable<JoiDescription['flags']>): string | undefined {
  const isSaid = isPlain(value) && value !== null && value !== '' && !(Array.isArray(value) && !value.length);
  if (!isSaid) return description;
  const fact = `Default: \`${typeof value === 'string' ? value : JSON.stringify(value)}\`.`;
  return description === undefined ? fact : `${description.replace(/\.$/, '')}. ${fact}`;
}

/**
 * A schema that refuses some objects. It uses `if`, not `not`: generators of clients make classes of what is
 * below `not`, and some of these classes do not compile in Go and Python.
 */
const refusalOf = (refused: readonly JsonSchema[]): JsonSchema =>
  refused.length === 0 ? {} : { if: refused.length > 1 ? { anyOf: refused } : refused[0], then: { not: {} } };

/**
 * The members whose name differs from an earlier name only in case. The document does not list them as
 * properties, because many languages have one name for both.
 *
 * @throws {Error} when the value of one is checked
 */
function twinsOf(members: readonly (readonly [string, JoiDescription])[]): string[] {
  const names = members.map(([key]) => key.toLowerCase());
  const twins = members.filter((_, n) => names.indexOf(names[n]!) < n);
  const checked = twins.find(([, { type, flags = {} }]) => type !== 'any' || flags.presence === 'required');
  if (checked !== undefined) throw new Error(`${checked[0]} has the name of another member, and is checked.`);
  return twins.map(([key]) => key);
}

/** Null may be a way to say that a member is absent, which a forbidden one must be. */
const forbiddenOf = (member: JoiDescription): JsonSchema =>
  // A member with no type but null is nothing in most languages.
  allowedOf(member).includes(null) ? { type: ['string', 'null'], not: { type: 'string' } } : { not: {} };

/** Values that are good although the type has no such ones; what counts as absent is one too. */
const allowedOf = ({ allow = [], flags = {} }: JoiDescription): unknown[] =>
  [...allow, ...(flags.empty?.allow ?? [])].filter(isPlain);

function enumOf(schema: JoiDescription): JsonSchema {
  const values = allowedOf(schema);
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
  if (values.length === 1 && values[0] !== null) return constant(values[0] as string);
  return { type: types.length === 1 ? types[0] : types, enum: values };
}

/** Functions, references and joi's own markers are described as objects with one distinctive member. */
const isPlain = (value: unknown): boolean =>
  value !== undefined &&
  (typeof value !== 'object' ||
    value === null ||
    !['function', 'ref', 'override', 'special'].some((marker) => Object.hasOwn(value, marker)));

function orNull(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (Object.keys(schema).length === 0 || schema['enum'] !== undefined)
    return type === undefined ? schema : { anyOf: [schema, { type: 'null' }] };
  if (typeof type === 'string') return { ...schema, type: [type, 'null'] };
  if (Array.isArray(type)) return { ...schema, type: [...(type as string[]), 'null'] };
  return { anyOf: [schema, { type: 'null' }] };
}
