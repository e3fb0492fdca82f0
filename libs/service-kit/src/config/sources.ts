import { readFileSync } from 'node:fs';

/** A node of the configuration tree before it is validated. */
export type ConfigValue = unknown;
export interface ConfigTree {
  [key: string]: ConfigValue;
}

export const isTree = (value: unknown): value is ConfigTree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const emptyTree = (): ConfigTree => Object.create(null) as ConfigTree;
const fileSuffix = '_FILE';
const listKey = /^(0|[1-9]\d{0,3})$/;

/**
 * Reads a JSON file of nested objects. The file must exist if it is `required`. Faults are added to `faults`,
 * so that they are reported together with the faults of the values.
 */
export function treeFromFile(file: string, required: boolean, faults: string[]): ConfigTree {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (required || code !== 'ENOENT') faults.push(`The file ${file} cannot be read (${code ?? 'unknown'}).`);
    return emptyTree();
  }
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (isTree(parsed)) return parsed;
    faults.push(`The file ${file} must hold one JSON object.`);
  } catch (error) {
    // The message of V8 quotes the text around the fault, which may be a secret: report the position only.
    const place = /position (\d+)/.exec((error as Error).message)?.[1];
    faults.push(
      place === undefined
        ? `The file ${file} is not valid JSON: it ends too early or is empty.`
        : `The file ${file} is not valid JSON: there is a fault at character ${place}.`,
    );
  }
  return emptyTree();
}

/**
 * Turns `Service__Hosting__Port=80` into `{ Service: { Hosting: { Port: '80' } } }`. Variables without the
 * prefix `Service__` are ignored. An empty variable counts as not set, because `${NAME:-}` in a Compose file
 * sets it empty.
 */
export function treeFromEnvironment(env: NodeJS.ProcessEnv, faults: string[]): ConfigTree {
  const root = emptyTree();
  for (const [name, value] of Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!name.startsWith('Service__') || value === undefined || value === '') continue;
    const segments = name.split('__');
    const key = segments.join(':');
    if (segments.some((segment) => segment === '')) {
      faults.push(`${key} has an empty part in its name (environment variable ${name}).`);
      continue;
    }
    if (!put(root, segments, value)) {
      faults.push(`${key} is given both as one value and in parts (environment variable ${name}).`);
    }
  }
  return root;
}

function put(root: ConfigTree, segments: string[], value: string): boolean {
  let node = root;
  for (const segment of segments.slice(0, -1)) {
    const next = (node[segment] ??= emptyTree());
    if (!isTree(next)) return false;
    node = next;
  }
  const last = segments[segments.length - 1]!;
  if (node[last] !== undefined) return false;
  node[last] = value;
  return true;
}

/** Replaces each `Key_FILE` by `Key` with the text of that file, without a final line break. */
export function readSecretFiles(node: ConfigTree, faults: string[], at: string[] = []): void {
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'object' && value !== null)
      readSecretFiles(value as ConfigTree, faults, [...at, name]); // lists too: `Bootstrap:0:AdminPassword_FILE`
    if (!name.endsWith(fileSuffix) || typeof value !== 'string') continue;
    const target = name.slice(0, -fileSuffix.length);
    const key = [...at, target].join(':');
    delete node[name];
    if (node[target] !== undefined) {
      faults.push(`${key} is given both as a value and as a file (${key}${fileSuffix}).`);
      continue;
    }
    try {
      node[target] = readFileSync(value, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      faults.push(
        `${key}${fileSuffix} names a file that cannot be read (${(error as NodeJS.ErrnoException).code}).`,
      );
    }
  }
}

/**
 * Merges `over` into `base`: objects merge by key, lists given in parts (`__0`, `__1`) replace single
 * elements, any other value replaces.
 */
export function merge(base: ConfigValue, over: ConfigValue): ConfigValue {
  if (!isTree(over)) return over;
  if (Array.isArray(base) && Object.keys(over).every((key) => listKey.test(key))) {
    const merged: ConfigTree = Object.assign(emptyTree(), base);
    for (const [key, value] of Object.entries(over)) merged[key] = merge(merged[key], value);
    return merged;
  }
  const merged: ConfigTree = Object.assign(emptyTree(), isTree(base) ? base : {});
  for (const [key, value] of Object.entries(over)) merged[key] = merge(merged[key], value);
  return merged;
}

/** Converts `{ 0: a, 1: b }` to `[a, b]`; undefined if the keys are not exactly 0, 1, 2 … */
export function listFromParts(node: ConfigTree): unknown[] | undefined {
  const keys = Object.keys(node);
  if (!keys.every((key) => listKey.test(key))) return undefined;
  const values = keys.map((_, index) => node[String(index)]);
  return values.every((value) => value !== undefined) ? values : undefined;
}
