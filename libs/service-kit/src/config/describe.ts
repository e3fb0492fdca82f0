import type Joi from 'joi';
import { isTree } from './sources';
import { elementOf, isSecret, shapeOf, type Shape } from './shape';

/** One documented key of the configuration. */
export interface ConfigKey {
  /** `Service:Hosting:Port`; the elements of a list are written `Service:Auth:Providers:[n]:Name`. */
  key: string;
  /** `Service__Hosting__Port` */
  env: string;
  type: string;
  /** The default as JSON text, or null when there is none. */
  default: string | null;
  required: boolean;
  secret: boolean;
  description: string;
  /** The values that are allowed, when they are a closed list. */
  allowed: string[];
}

export const secretMask = '********';

/** Lists every key of a configuration schema, in the order of the schema; the source of docs/configuration.md. */
export function describeConfig(schema: Joi.ObjectSchema): ConfigKey[] {
  return keysOf(shapeOf(schema), []);
}

function keysOf(shape: Shape, path: string[]): ConfigKey[] {
  if (shape.type === 'object' && shape.keys !== undefined) {
    return Object.entries(shape.keys).flatMap(([name, child]) => keysOf(child, [...path, name]));
  }
  const element = elementOf(shape);
  const nested = element?.keys === undefined ? [] : keysOf(element, [...path, '[n]']);
  return [keyOf(shape, path), ...nested];
}

function keyOf(shape: Shape, path: string[]): ConfigKey {
  const fallback = shape.flags?.default;
  const secret = isSecret(shape);
  return {
    key: path.join(':'),
    env: path.map((part) => (part === '[n]' ? '0' : part)).join('__'),
    type: typeName(shape),
    default: fallback === undefined || secret ? null : JSON.stringify(fallback),
    required: shape.flags?.presence === 'required',
    secret,
    description: shape.flags?.description ?? '',
    allowed: shape.flags?.only === true ? (shape.allow ?? []).map(String) : [],
  };
}

function typeName(shape: Shape): string {
  if (shape.type === 'array') {
    const element = elementOf(shape);
    return element === undefined ? 'list' : `list of ${typeName(element)}`;
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
