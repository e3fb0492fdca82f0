import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Root folder of this checkout. */
export const checkoutDir = path.resolve(__dirname, '../..');

/** The folder of what `npm start` and `npm test` keep between runs; never committed. */
export const localDir = path.join(checkoutDir, '.local');

/** Something on this machine is missing or blocks us. The message is one sentence that names the remedy. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}

/** Writes JSON so that a reader sees the old or the new content, never a part. `mode` as in chmod. */
export function writeJson(file: string, value: unknown, mode = 0o644): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode });
  renameSync(draft, file);
}

/** The parsed content, or null for a file that is missing or not JSON. */
export function readJson<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return null;
  }
}

/** Last lines of a text, for an error message. */
export function tail(text: string, lines = 12): string {
  return text.trimEnd().split('\n').slice(-lines).join('\n');
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
