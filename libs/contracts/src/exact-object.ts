import Joi from 'joi';

type OptionalKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];
type Optional<T> = Pick<T, OptionalKeys<T>>;
type Required<T> = Omit<T, OptionalKeys<T>>;

/**
 * Schema of an object that has exactly the members of `T`, no more and no fewer: the compiler refuses a member that is
 * forgotten, made up, of another kind, or required in the one place and optional in the other. `name` is how documents
 * call it (a component of OpenAPI and AsyncAPI).
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
