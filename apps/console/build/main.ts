import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import {
  furtherOverBudget,
  furtherPages,
  manifestIn,
  overBudget,
  sizeOf,
  type FurtherLimit,
  type Limit,
  type Manifest,
} from './budget';
import { packageFaults } from './packages';

const root = path.join(__dirname, '../../..');
const dist = path.join(root, 'dist/apps/console');

interface Budget {
  limits: Limit[];
  further: FurtherLimit;
}

/**
 * Runs after `vite build`: compresses the files, which the gateway then only sends, and checks their sizes
 * and the packages in them.
 */
function main(): void {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(html|js|css|svg)$/.test(name))
    .map((name) => name.replaceAll(path.sep, '/'));
  const gzipped = new Map<string, number>();
  for (const name of files) {
    const bytes = readFileSync(path.join(dist, name));
    const gzip = gzipSync(bytes, { level: 9 });
    gzipped.set(name, gzip.length);
    writeFileSync(path.join(dist, `${name}.gz`), gzip);
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(path.join(dist, `${name}.br`), brotliCompressSync(bytes, { params }));
  }
  const own = takeReport(dist);
  const apart = ['preview', 'form-page'].map((name) => ({ name, ...takeReport(path.join(dist, name)) }));
  const manifest = Object.assign(
    own.manifest,
    ...apart.map(({ name, manifest: inFolder }) => manifestIn(`${name}/`, inFolder)),
  ) as Manifest;
  const { limits, further } = read<Budget>(path.join(__dirname, '../budget.json'));
  for (const limit of limits) {
    const kilobytes = (sizeOf(limit, manifest, gzipped) / 1024).toFixed(1);
    process.stdout.write(`${limit.page}: ${kilobytes} of ${limit.gzipKB} KB (gzip)\n`);
  }
  const pages = furtherPages(further, manifest, gzipped);
  for (const [page, bytes] of pages)
    process.stdout.write(
      `  + ${page}: ${(bytes / 1024).toFixed(1)} of ${further.others[page] ?? further.gzipKB} KB\n`,
    );
  const named = read<string[]>(path.join(__dirname, '../packages.json'));
  const faults = [
    ...overBudget(limits, manifest, gzipped),
    ...furtherOverBudget(further, pages),
    ...packageFaults(
      named,
      [own, ...apart].flatMap(({ packages }) => packages),
    ),
  ];
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

/** Reads what Vite reports about a build, and removes it: nothing else needs it. */
function takeReport(folder: string): { manifest: Manifest; packages: string[] } {
  const report = path.join(folder, '.vite');
  const manifest = read<Manifest>(path.join(report, 'manifest.json'));
  const packages = read<{ name: string }[]>(path.join(report, 'packages.json'));
  rmSync(report, { recursive: true });
  return { manifest, packages: packages.map(({ name }) => name) };
}

const read = <T>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as T;

main();
