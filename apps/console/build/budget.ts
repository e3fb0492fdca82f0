/** The parts of Vite's manifest that are read: chunks by the name of their source file. */
export type Manifest = Record<
  string,
  { file: string; css?: string[]; assets?: string[]; imports?: string[]; isDynamicEntry?: boolean }
>;

/**
 * The manifest of a build in a folder of another one, with the names that it has there.
 *
 * @param folder with a slash at its end
 */
export function manifestIn(folder: string, manifest: Manifest): Manifest {
  const moved = (names: string[] = []) => names.map((name) => folder + name);
  return Object.fromEntries(
    Object.entries(manifest).map(([name, { file, css, assets, imports }]) => [
      folder + name,
      { file: folder + file, css: moved(css), assets: moved(assets), imports: moved(imports) },
    ]),
  );
}

/** The most that a page may load, compressed, before it is shown. */
export interface Limit {
  page: string;
  /** Source files, as the manifest names them. What they import is added. */
  entries: string[];
  gzipKB: number;
}

/**
 * The bytes that a page loads: its entries, with the chunks, styles and images that they import.
 *
 * @param gzipped compressed sizes in bytes, by the name of the built file
 * @throws {Error} for an entry that the build does not have
 */
export function sizeOf({ entries }: Limit, manifest: Manifest, gzipped: ReadonlyMap<string, number>): number {
  const chunks = new Set<string>();
  const add = (name: string): void => {
    if (chunks.has(name)) return;
    chunks.add(name);
    chunkOf(name, manifest).imports?.forEach(add);
  };
  entries.forEach(add);
  const files = new Set(
    [...chunks].flatMap((name) => {
      const { file, css = [], assets = [] } = chunkOf(name, manifest);
      return [file, ...css, ...assets];
    }),
  );
  // The manifest names the script of a page, and not the page.
  for (const entry of entries) if (entry.endsWith('.html')) files.add(entry);
  return [...files].reduce((sum, file) => sum + (gzipped.get(file) ?? 0), 0);
}

function chunkOf(name: string, manifest: Manifest) {
  const chunk = manifest[name];
  if (chunk === undefined) throw new Error(`budget.json names ${name}, which the build does not have.`);
  return chunk;
}

/** A sentence for each page that is too large. */
export function overBudget(
  limits: readonly Limit[],
  manifest: Manifest,
  gzipped: ReadonlyMap<string, number>,
): string[] {
  return limits.flatMap((limit) => {
    const bytes = sizeOf(limit, manifest, gzipped);
    return bytes <= limit.gzipKB * 1024
      ? []
      : [`The page "${limit.page}" loads ${bytes} bytes (gzip); ${limit.gzipKB} KB are permitted.`];
  });
}

/** The most that a page may load beyond the first one after the sign-in. */
export interface FurtherLimit {
  /** Entries of the first page. */
  first: string[];
  /** Folder of the sources of the pages. */
  folder: string;
  gzipKB: number;
  /** Pages with a limit of their own, in KB. */
  others: Readonly<Record<string, number>>;
}

/** The bytes that each page that is loaded later adds to the first one, the largest first. */
export function furtherPages(
  { first, folder }: FurtherLimit,
  manifest: Manifest,
  gzipped: ReadonlyMap<string, number>,
): [page: string, bytes: number][] {
  const sizeWith = (entries: string[]) => sizeOf({ page: '', entries, gzipKB: 0 }, manifest, gzipped);
  const base = sizeWith(first);
  return Object.entries(manifest)
    .filter(([name, { isDynamicEntry }]) => isDynamicEntry === true && name.startsWith(folder))
    .map(([name]): [string, number] => [name, sizeWith([...first, name]) - base])
    .sort(([, a], [, b]) => b - a);
}

/** A sentence for each further page that is too large. */
export function furtherOverBudget(
  limit: FurtherLimit,
  pages: readonly (readonly [page: string, bytes: number])[],
): string[] {
  return pages.flatMap(([page, bytes]) => {
    const max = limit.others[page] ?? limit.gzipKB;
    return bytes <= max * 1024
      ? []
      : [`The page ${page} adds ${bytes} bytes (gzip) to the first one; ${max} KB are permitted.`];
  });
}
