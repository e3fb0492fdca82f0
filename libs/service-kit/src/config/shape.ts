import type Joi from 'joi';

/** What we read of joi's own description of a schema (`schema.describe()`), the one source of types, defaults and docs. */
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

/** A section that is required or has defaults of its own is validated even when nothing of it is given. */
export const isSection = (shape: Shape): boolean =>
  shape.type === 'object' &&
  shape.keys !== undefined &&
  (shape.flags?.presence === 'required' || shape.flags?.default !== undefined);

/** The shape of an element of a list, when there is one for all. */
export const elementOf = (shape: Shape | undefined): Shape | undefined =>
  shape?.type === 'array' && shape.items?.length === 1 ? shape.items[0] : undefined;
