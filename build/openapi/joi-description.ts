/** The parts of joi's `schema.describe()` that a JSON Schema needs. */
export interface JoiDescription {
  type: string;
  flags?: {
    presence?: 'required' | 'optional' | 'forbidden';
    description?: string;
    default?: unknown;
    /** Returns whether only the values of `allow` are valid. */
    only?: boolean;
    /** An object may have members that its schema does not name. */
    unknown?: boolean;
    /** `strip`: taken and ignored. */
    result?: string;
    id?: string;
    label?: string;
    /** The value that counts as absent. */
    empty?: JoiDescription;
    /** An array may be given as its only element. */
    single?: boolean;
  };
  allow?: unknown[];
  rules?: { name: string; args?: Record<string, unknown> }[];
  metas?: Record<string, unknown>[];
  examples?: unknown[];
  keys?: Record<string, JoiDescription>;
  patterns?: { regex?: string; schema?: JoiDescription; rule: JoiDescription }[];
  dependencies?: { rel: string; key?: unknown; peers: unknown[] }[];
  items?: JoiDescription[];
  matches?: Match[];
  whens?: Match[];
}

interface Match {
  schema?: JoiDescription;
  then?: JoiDescription;
  otherwise?: JoiDescription;
  switch?: Match[];
}

/** The schemas that one of `matches` or `whens` may lead to. */
export const outcomesOf = (match: Match): JoiDescription[] => [
  ...[match.schema, match.then, match.otherwise].filter((schema) => schema !== undefined),
  ...(match.switch ?? []).flatMap(outcomesOf),
];

/** The facts of all `.meta()` of a schema, the later ones before the earlier. */
export const metaOf = ({ metas = [] }: JoiDescription): Record<string, unknown> =>
  Object.assign({}, ...metas) as Record<string, unknown>;

/** The name under which a schema is a component: `.id()`, `.meta({ name })` or `.label()`. */
export function nameOf(schema: JoiDescription): string | undefined {
  const { name } = metaOf(schema);
  return typeof name === 'string' ? name : (schema.flags?.id ?? schema.flags?.label);
}
