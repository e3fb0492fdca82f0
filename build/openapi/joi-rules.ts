import type { JsonSchema } from './components';
import type { JoiDescription } from './joi-description';

type Args = Record<string, unknown>;
type Rule = (args: Args) => JsonSchema;

/** Rules that change or check a value in ways of which a JSON Schema need not speak. */
const silent: Rule = () => ({});
const limit =
  (keyword: string): Rule =>
  ({ limit: value }) => {
    if (typeof value !== 'number')
      throw new Error(`A limit that is no number cannot be documented as ${keyword}.`);
    return { [keyword]: value };
  };
const format =
  (name: string): Rule =>
  () => ({ format: name });

const strings: Record<string, Rule> = {
  min: limit('minLength'),
  max: limit('maxLength'),
  length: (args) => ({ ...limit('minLength')(args), ...limit('maxLength')(args) }),
  pattern: ({ regex }) => ({ pattern: patternOf(String(regex)) }),
  email: format('email'),
  uri: format('uri'),
  guid: format('uuid'),
  isoDate: format('date-time'),
  trim: silent,
  case: silent,
  normalize: silent,
  custom: silent,
};

const numbers: Record<string, Rule> = {
  integer: () => ({ type: 'integer' }),
  min: limit('minimum'),
  max: limit('maximum'),
  greater: limit('exclusiveMinimum'),
  less: limit('exclusiveMaximum'),
  multiple: ({ base }) => ({ multipleOf: base }),
  port: () => ({ type: 'integer', minimum: 0, maximum: 65_535 }),
  custom: silent,
};

const arrays: Record<string, Rule> = {
  min: limit('minItems'),
  max: limit('maxItems'),
  length: (args) => ({ ...limit('minItems')(args), ...limit('maxItems')(args) }),
  unique: (args) => (Object.keys(args).length === 0 ? { uniqueItems: true } : {}),
  sort: silent,
  custom: silent,
};

const objects: Record<string, Rule> = {
  min: limit('minProperties'),
  max: limit('maxProperties'),
  length: (args) => ({ ...limit('minProperties')(args), ...limit('maxProperties')(args) }),
  custom: silent,
};

const dates: Record<string, Rule> = { min: silent, max: silent, custom: silent };

const rulesOf: Record<string, Record<string, Rule>> = {
  string: strings,
  number: numbers,
  array: arrays,
  object: objects,
  date: dates,
  boolean: { custom: silent },
};

/**
 * The keywords for the rules of a schema.
 *
 * @throws {Error} for a rule that no keyword is known for: a document may not be silent about what is
 * checked
 */
export function ruleKeywords({ type, rules = [] }: JoiDescription): JsonSchema {
  const keywords: JsonSchema = {};
  const patterns: unknown[] = [];
  for (const { name, args = {} } of rules) {
    const rule = rulesOf[type]?.[name];
    if (rule === undefined)
      throw new Error(`The joi rule ${type}.${name}() has no translation; see joi-rules.ts.`);
    const { pattern, ...others } = rule(args);
    if (pattern !== undefined) patterns.push(pattern);
    Object.assign(keywords, others);
  }
  if (patterns.length === 1) keywords['pattern'] = patterns[0];
  if (patterns.length > 1) keywords['allOf'] = patterns.map((pattern) => ({ pattern }));
  return keywords;
}

/** `/^a$/u` → `^a$`. JSON Schema knows no flags and reads patterns as Unicode. */
export function patternOf(regex: string): string {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(regex) ?? [];
  if (source === undefined || /[^uv]/.test(flags ?? ''))
    throw new Error(`The pattern ${regex} cannot be documented: JSON Schema has no flags.`);
  return source;
}
