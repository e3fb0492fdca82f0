import type Joi from 'joi';

/** The part that is used here of joi's description of a schema (`schema.describe()`). */
export interface Shape {
  type?: string;
  flags?: {
    presence?: string;
    default?: unknown;
    description?: string;
    only?: boolean;
    unit?: string;
    single?: boolean;
  };
  keys?: Record<string, Shape>;
  items?: Shape[];
  metas?: { secret?: boolean }[];
  allow?: unknown[];
  rules?: { name: string; args?: Record<string, unknown> }[];
  matches?: { schema?: Shape }[];
}

export const shapeOf = (schema: Joi.Schema): Shape => schema.describe() as Shape;

export const isSecret = (shape: Shape | undefined): boolean =>
  shape?.metas?.some((meta) => meta.secret === true) ?? false;

/** Returns whether a section is validated even with none of its keys: it is required or has a default. */
export const isSection = (shape: Shape): boolean =>
  shape.type === 'object' &&
  shape.keys !== undefined &&
  (shape.flags?.presence === 'required' || shape.flags?.default !== undefined);

/** The shape of the elements of a list, if all have the same. */
export const elementOf = (shape: Shape | undefined): Shape | undefined =>
  shape?.type === 'array' && shape.items?.length === 1 ? shape.items[0] : undefined;
