import Joi from 'joi';

/**
 * Changes the schema of a body: null for an optional member means that the member is absent, at any depth.
 * Members that allow null (`.allow(null)`, `.empty(null)`, any value) keep it. Required members still need a
 * value.
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

/** Validated inside an object, because the rules of a member may refer to other members. */
const takesNull = (schema: Joi.Schema): boolean =>
  Joi.object({ member: schema }).validate({ member: null }).error === undefined;

/**
 * Changes one part of a schema: the schema of a member (`keys`), of an element (`items`), of an alternative,
 * …
 */
type Change = (part: Joi.Schema, place: { source: 'terms' | 'flags' | 'rules'; name: string }) => Joi.Schema;

/** Works around the types of joi: in `$_modify` they do not declare `each` as a function. */
function modify(schema: Joi.Schema, each: Change): Joi.Schema {
  return (schema.$_modify as (options: object) => Joi.Schema).call(schema, { each, ref: false });
}
