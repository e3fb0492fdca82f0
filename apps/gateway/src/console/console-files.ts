import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file of the console as a browser gets it. */
export interface ConsoleFile {
  contentType: string;
  /** Returns whether its name has the hash of its content, so that a browser never has to ask again. */
  isImmutable: boolean;
  /** Returns whether it belongs to the preview of a form, which a sandboxed frame loads. */
  isPreview: boolean;
  /** The bytes in this encoding; plain if the build has no such form. Read at the first request, and kept. */
  bytes(encoding: Encoding): { bytes: Buffer; encoding: Encoding };
}

export type Encoding = 'br' | 'gzip' | 'identity';

const suffixes: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz', identity: '' };

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The folder beside the bundle of the gateway; when it runs from source, what `nx build console` made. */
export const consoleFolder = [
  path.join(__dirname, '../console'),
  path.join(__dirname, '../../../../dist/apps/console'),
].find((folder) => existsSync(path.join(folder, 'index.html')));

/** The paths of files that have the hash of their content in their name. */
const hashed = /^\/console\/(preview\/)?assets\//;

/** Finds the file of a path below `/console`; every other path is a page, whose file is `index.html`. */
export type FindConsoleFile = (path: string) => ConsoleFile | undefined;

/**
 * The files of the console. Only the names that the build made are served, so that no path reaches beyond
 * its folder.
 *
 * @param folder what the build made
 * @param pathPrefix the path at which a proxy serves the gateway; empty without one
 */
export function loadConsole(folder: string, pathPrefix: string): FindConsoleFile {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll(path.sep, '/'))
    // The page of a form is served at a path of its own.
    .filter((name) => mediaTypes[path.extname(name)] !== undefined && !name.startsWith('form-page/'));
  const files = new Map(
    names.map((name) => [`/console/${name}`, fileOf(folder, name, hashed.test(`/console/${name}`))]),
  );
  const built = files.get('/console/index.html');
  const page = built && (pathPrefix === '' ? built : prefixed(built, pathPrefix));
  if (page !== undefined) files.set('/console/index.html', page);
  return (at) => {
    if (at !== '/console' && !at.startsWith('/console/')) return undefined;
    return files.get(at) ?? (hashed.test(at) ? undefined : page);
  };
}

/** A file in a folder that a build made, and its compressed forms beside it. */
export function fileOf(folder: string, name: string, isImmutable: boolean): ConsoleFile {
  const kept = new Map<Encoding, Buffer>();
  return {
    contentType: mediaTypes[path.extname(name)]!,
    isImmutable,
    isPreview: name.startsWith('preview/'),
    bytes(wanted) {
      const encoding = existsSync(path.join(folder, name + suffixes[wanted])) ? wanted : 'identity';
      const bytes = kept.get(encoding) ?? readFileSync(path.join(folder, name + suffixes[encoding]));
      kept.set(encoding, bytes);
      return { bytes, encoding };
    },
  };
}

/** The page with its addresses below the prefix. Its files find each other by relative addresses. */
function prefixed(page: ConsoleFile, pathPrefix: string): ConsoleFile {
  const text = page.bytes('identity').bytes.toString().replaceAll('"/console/', `"${pathPrefix}/console/`);
  const bytes = Buffer.from(text);
  // It is too small to be worth a compressed form.
  return { ...page, bytes: () => ({ bytes, encoding: 'identity' }) };
}
