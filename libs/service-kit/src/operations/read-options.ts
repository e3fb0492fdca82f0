import { parseArgs } from 'node:util';
import type { Operation, OperationOption, OptionValues } from './operation';

/** The command line is wrong. The message is a sentence that names the option. */
export class UsageError extends Error {}

const maxId = 9_223_372_036_854_775_807n;
const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Reads and checks the options of an operation. @throws {UsageError} */
export function readOptions(
  { name, options = {}, changes = false }: Operation,
  args: readonly string[],
): { values: OptionValues; isJson: boolean } {
  const parsed = parse(options, args);
  const values: Partial<Record<string, string>> = {};
  for (const [option, definition] of Object.entries(options)) {
    const value = parsed[option] ?? definition.otherwise;
    if (value === undefined) {
      if (definition.isRequired) throw new UsageError(`${name} needs --${option}: ${definition.about}`);
    } else values[option] = checked(`--${option}`, String(value), definition.kind);
  }
  if (changes && parsed['yes'] !== true)
    throw new UsageError(`${name} changes data; nothing was done. Pass --yes to confirm.`);
  return { values, isJson: parsed['json'] === true };
}

function parse(options: Readonly<Record<string, OperationOption>>, args: readonly string[]) {
  const known = Object.entries(options).map(
    ([option, { kind }]) => [option, { type: kind === 'flag' ? 'boolean' : 'string' }] as const,
  );
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: false,
      options: {
        ...Object.fromEntries(known),
        yes: { type: 'boolean' },
        json: { type: 'boolean' },
        config: { type: 'string' }, // already read by `loadConfig`
      },
    }).values as Partial<Record<string, string | boolean>>;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function checked(option: string, value: string, kind: OperationOption['kind']): string {
  const refuse = (rule: string) => new UsageError(`${option} must be ${rule}, not "${value.slice(0, 60)}".`);
  if (typeof kind !== 'string') {
    if (!kind.includes(value)) throw refuse(`one of ${kind.join(', ')}`);
  } else if (kind === 'id') {
    if (!/^\d{1,19}$/.test(value) || BigInt(value) > maxId || BigInt(value) === 0n) throw refuse('an id');
  } else if (kind === 'count') {
    if (!/^\d{1,5}$/.test(value) || Number(value) < 1 || Number(value) > 10_000) throw refuse('1 to 10000');
  } else if (kind === 'time') {
    if (!isTime.test(value) || Number.isNaN(Date.parse(value)))
      throw refuse('a time with its zone, such as 2026-11-21T06:00:00Z');
  }
  return value;
}
