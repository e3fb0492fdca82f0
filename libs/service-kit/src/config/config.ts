import type Joi from 'joi';
import { ConfigurationError } from './configuration-error';
import { maskSecrets } from './describe';
import {
  isTree,
  listFromParts,
  merge,
  readSecretFiles,
  treeFromEnvironment,
  treeFromFile,
  type ConfigTree,
} from './sources';
import { elementOf, isSection, shapeOf, type Shape } from './shape';

export interface LoadConfigOptions {
  /** Arguments after the script, default `process.argv.slice(2)`. */
  argv?: string[];
  /** Default `process.env`. */
  env?: NodeJS.ProcessEnv;
  /** Read when neither `--config` nor `CANVASS_CONFIG` names a file; may be absent. Default `config.json`. */
  defaultsFile?: string;
}

/**
 * Reads, checks and types the configuration: first the JSON file, then the environment
 * (`Service__Hosting__Port`), which wins. `schema` is a joi object over `{ Service: { … } }`. Unknown keys
 * under `Service` are a fault.
 *
 * Called as `loadConfig(schema)` it prints the faults and exits with status 1. For `--print-config` it prints
 * the effective values with secrets masked and exits with status 0. With `argv` or `env` it never exits: it
 * throws.
 *
 * @throws {ConfigurationError} with all faults at once, each naming its key
 */
export function loadConfig<T>(schema: Joi.ObjectSchema<T>, options: LoadConfigOptions = {}): T {
  const argv = options.argv ?? process.argv.slice(2);
  const ownProcess = options.argv === undefined && options.env === undefined;
  try {
    const config = readConfig(schema, argv, options.env ?? process.env, options.defaultsFile);
    if (argv.includes('--print-config')) {
      process.stdout.write(`${JSON.stringify(maskSecrets(config, schema), null, 2)}\n`);
      if (ownProcess) process.exit(0);
    }
    return config;
  } catch (error) {
    if (!ownProcess || !(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

function readConfig<T>(
  schema: Joi.ObjectSchema<T>,
  argv: string[],
  env: NodeJS.ProcessEnv,
  defaultsFile = 'config.json',
): T {
  const faults: string[] = [];
  const named = fileArgument(argv, faults) ?? (env['CANVASS_CONFIG'] || undefined);
  const fromFile = treeFromFile(named ?? defaultsFile, named !== undefined, faults);
  const fromEnvironment = treeFromEnvironment(env, faults);
  readSecretFiles(fromFile, faults);
  readSecretFiles(fromEnvironment, faults);
  const shape = shapeOf(schema);
  const tree = shaped(merge(fromFile, fromEnvironment), shape);
  // Keys beside `Service` in the file belong to other programs.
  const { value, error } = schema.unknown().validate(tree, {
    abortEarly: false,
    convert: true,
    stripUnknown: false,
    errors: { label: false, wrap: { array: false } },
    messages: { 'object.unknown': 'is not a known key' },
  });
  for (const detail of error?.details ?? []) {
    faults.push(`${detail.path.length === 0 ? 'Service' : detail.path.join(':')} ${detail.message}.`);
  }
  if (faults.length > 0) throw new ConfigurationError(faults);
  return value as T;
}

function fileArgument(argv: string[], faults: string[]): string | undefined {
  const index = argv.findIndex((argument) => argument === '--config' || argument.startsWith('--config='));
  if (index < 0) return undefined;
  const argument = argv[index]!;
  const file = argument.includes('=') ? argument.slice('--config='.length) : argv[index + 1];
  if (file === undefined || file === '') faults.push('--config needs the name of a file.');
  return file || undefined;
}

/**
 * Converts lists that are given in parts (`__0`, `__1`) or as JSON text to arrays, and adds missing sections
 * that the schema checks.
 */
function shaped(value: unknown, shape: Shape | undefined): unknown {
  if (shape?.type === 'array') {
    const list =
      typeof value === 'string' ? parsed(value) : isTree(value) ? (listFromParts(value) ?? value) : value;
    return Array.isArray(list) ? list.map((element) => shaped(element, elementOf(shape))) : list;
  }
  if (shape?.type === 'object') {
    const object = typeof value === 'string' ? parsed(value) : value;
    if (!isTree(object)) return object;
    const result: ConfigTree = {};
    for (const [key, child] of Object.entries(object)) result[key] = shaped(child, shape.keys?.[key]);
    for (const [key, child] of Object.entries(shape.keys ?? {})) {
      if (result[key] === undefined && isSection(child)) result[key] = shaped({}, child);
    }
    return result;
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text; // joi then reports that it must be a list or an object
  }
}
