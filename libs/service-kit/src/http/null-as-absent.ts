import Joi from 'joi';

/**
 * The schema of a body in which null for an optional member means that the member is absent, at any depth. Members keep
 * null where it has a meaning of its own (`.allow(null)`, `.empty(null)`, or any value is allowed), and required members
 * still must have a value.
 */
export function nullAsAbsent<S extends Joi.Schema>(schema: S): S {
  const changed = modify(schema, (part, { source, name }) => {
    if (source !== 'terms') return part;
    return name === 'keys' ? member(part) : nullAsAbsent(part);
  });
  return changed === schema ? schema : (changed.$_mutateRebuild() as S);
}

function member(schema: Joi.Schema): Joi.Schema {
  const inner = nullAsAbsent(schema);
  const required = inner.$_getFlag('presence') === 'required';
  if (required || takesNull(inner)) return inner;
  const empty = inner.$_getFlag('empty') as Joi.Schema | undefined;
  return inner.empty(empty === undefined ? null : empty.valid(null));
}

/** Asked as a member, because its rules may depend on others. */
const takesNull = (schema: Joi.Schema): boolean =>
  Joi.object({ member: schema }).validate({ member: null }).error === undefined;

/** Changes one part of a schema: the schema of a member (`keys`), of an element (`items`), of an alternative, … */
type Change = (part: Joi.Schema, place: { source: 'terms' | 'flags' | 'rules'; name: string }) => Joi.Schema;

/** joi's own types of `$_modify` do not know that `each` is a function. */
function modify(schema: Joi.Schema, each: Change): Joi.Schema {
  return (schema.$_modify as (options: object) => Joi.Schema).call(schema, { each, ref: false });
}
