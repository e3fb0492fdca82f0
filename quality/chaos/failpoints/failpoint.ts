import { existsSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';

/** Folder with a file for each armed point; see `arm`. */
const armed = process.env['FAILPOINTS'] ?? '';
const hits = new Map<string, number>();

/**
 * Ends this process with SIGKILL if the point is armed and was reached the number of times that its file
 * says. Only the build for failpoints calls it, in place of the comments `// failpoint: <name>`.
 */
export function failpoint(name: string): void {
  const file = path.join(armed, name);
  if (!existsSync(file)) {
    hits.delete(name);
    return;
  }
  const hit = (hits.get(name) ?? 0) + 1;
  hits.set(name, hit);
  try {
    if (hit < Number(readFileSync(file, 'utf8'))) return;
    renameSync(file, path.join(armed, `${name}.hit`));
  } catch {
    return; // another process reached it first
  }
  process.kill(process.pid, 'SIGKILL');
}
