import type Joi from 'joi';
import { isTree } from './sources';
import { elementOf, isSecret, isSection, shapeOf, type Shape } from './shape';

/** One documented key of the configuration. */
export interface ConfigKey {
  /** `Service:Hosting:Port`; the elements of a list are written `Service:Auth:Providers:[n]:Name`. */
  key: string;
  /** `Service__Hosting__Port` */
  env: string;
  type: string;
  /** The default as JSON text, or null if the key has no default. */
  default: string | null;
  required: boolean;
  /**
   * The nearest optional section around the key: the key is required only if a key of that section is given.
   */
  within: string | null;
  secret: boolean;
  description: string;
  /** The allowed values, if the schema lists them. */
  allowed: string[];
  /** Minimum and maximum of the value or its length; null without a bound. */
  min: number | null;
  max: number | null;
}

const secretMask = '********';

/** Lists every key of a configuration schema, in its order. docs/configuration.md is generated from it. */
export function describeConfig(schema: Joi.ObjectSchema): ConfigKey[] {
  return keysOf(shapeOf(schema), [], null);
}

function keysOf(shape: Shape, path: string[], within: string | null): ConfigKey[] {
  if (shape.type === 'object' && shape.keys !== undefined) {
    const always = path.length === 0 || path.at(-1) === '[n]' || isSection(shape);
    const here = always ? within : path.join(':');
    return Object.entries(shape.keys).flatMap(([name, child]) => keysOf(child, [...path, name], here));
  }
  const element = elementOf(shape);
  const nested = element?.keys === undefined ? [] : keysOf(element, [...path, '[n]'], null);
  return [keyOf(shape, path, within), ...nested];
}

function keyOf(shape: Shape, path: string[], within: string | null): ConfigKey {
  const fallback = shape.flags?.default;
  const secret = isSecret(shape);
  return {
    key: path.join(':'),
    env: path.map((part) => (part === '[n]' ? '0' : part)).join('__'),
    type: typeName(shape),
    default: fallback === undefined || secret ? null : JSON.stringify(fallback),
    required: shape.flags?.presence === 'required',
    within,
    secret,
    description: shape.flags?.description ?? '',
    allowed: shape.flags?.only === true ? (shape.allow ?? []).map(String) : [],
    min: boundOf(shape, 'min') ?? (shape.rules?.some(({ name }) => name === 'sign') === true ? 0 : null),
    max: boundOf(shape, 'max'),
  };
}

function boundOf(shape: Shape, name: 'min' | 'max'): number | null {
  const limit = shape.rules?.find((rule) => rule.name === name)?.args?.['limit'];
  return typeof limit === 'number' ? limit : null;
}

function typeName(shape: Shape): string {
  if (shape.type === 'array') {
    const element = elementOf(shape);
    if (element === undefined) return 'list';
    const one = typeName(element);
    return shape.flags?.single === true ? `${one} or list of ${one}` : `list of ${one}`;
  }
  if (shape.type === 'number') {
    return shape.rules?.some((rule) => rule.name === 'integer' || rule.name === 'port')
      ? 'integer'
      : 'number';
  }
  return shape.type ?? 'any';
}

/** The effective values with every secret (`.meta({ secret: true })`) and every user info in a URL masked. */
export function maskSecrets(value: unknown, schema: Joi.ObjectSchema): unknown {
  return mask(value, shapeOf(schema));
}

function mask(value: unknown, shape: Shape | undefined): unknown {
  if (isSecret(shape)) return value === undefined || value === null ? value : secretMask;
  if (Array.isArray(value)) return value.map((element) => mask(element, elementOf(shape)));
  if (isTree(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [key, mask(child, shape?.keys?.[key])]),
    );
  }
  return typeof value === 'string' ? value.replace(/(:\/\/)[^/@\s]+@/g, `$1${secretMask}@`) : value;
}
