import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** Folders of server programs that an ordinary user's PATH often lacks. */
const moreFolders = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/sbin', '/usr/bin', '/bin'];

/** PATH with the folders of server programs behind it. */
export function searchPath(): string {
  return [process.env['PATH'], ...moreFolders].filter(Boolean).join(path.delimiter);
}

/** The full path of a program, or null. */
export function onPath(program: string): string | null {
  for (const dir of searchPath().split(path.delimiter)) {
    const file = path.join(dir, program);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // Not here.
    }
  }
  return null;
}
