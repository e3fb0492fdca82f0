import Joi from 'joi';

type OptionalKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];
type Optional<T> = Pick<T, OptionalKeys<T>>;
type Required<T> = Omit<T, OptionalKeys<T>>;

/**
 * Schema of an object with exactly the members of `T`. The compiler rejects a member that is missing,
 * unknown, of another kind, or required in one place and optional in the other. `name` is its component in
 * OpenAPI and AsyncAPI.
 */
export function exactObject<T extends object>(
  name: string,
  required: Joi.StrictSchemaMap<Required<T>>,
  ...[optional]: OptionalKeys<T> extends never ? [] : [Joi.StrictSchemaMap<Optional<T>>]
): Joi.ObjectSchema<T> {
  const members = Object.entries<Joi.SchemaLike>(required).map(([key, schema]) => [
    key,
    Joi.compile(schema).required(),
  ]);
  return Joi.object<T>({ ...Object.fromEntries(members), ...optional }).id(name);
}
