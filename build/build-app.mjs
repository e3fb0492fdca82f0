// Bundles one app into dist/<project root>/main.js, or one file into another, with its source map: own code
// only. Called by Nx.
import { build } from 'esbuild';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';

const [target, outfile = path.join('dist', `${target}`, 'main.js')] = process.argv.slice(2);
if (!target) throw new Error('usage: node build/build-app.mjs apps/<name> | <entry>.ts <outfile>');

const { metafile } = await build({
  entryPoints: [target.endsWith('.ts') ? target : path.join(target, 'src/main.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  sourcemap: true,
  // Node keeps the whole map in memory from the first stack trace on. Own code without its texts is enough
  // for one.
  sourcesContent: false,
  tsconfig: 'tsconfig.base.json',
  logLevel: 'warning',
  // Packages come from node_modules, which a checkout and the image have beside the bundle.
  packages: 'external',
  metafile: true,
});

// The image installs the dependencies only.
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const { imports } of Object.values(metafile.outputs)) {
  for (const { path: name, external } of imports) {
    const known =
      isBuiltin(name) || Object.keys(dependencies).some((d) => name === d || name.startsWith(`${d}/`));
    if (external && !known)
      throw new Error(`${outfile} needs ${name}: add it to the dependencies of package.json`);
  }
}

// Files that the app reads when it runs: its own, and those of other folders that its assets.json names.
const assets = path.join(path.dirname(outfile), 'assets');
const own = path.join(target, 'assets');
if (existsSync(own)) cpSync(own, assets, { recursive: true });
const list = path.join(target, 'assets.json');
const others = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {};
for (const [folder, files] of Object.entries(others)) {
  for (const file of files) cpSync(path.join(folder, file), path.join(assets, file));
}
