// Bundles one app into dist/<project root>/main.js, or one file into another, with its source map: own code
// only. With CANVASS_BUNDLE_PACKAGES=true, packages of npm are bundled into a second file beside it, for the
// image. Called by Nx.
import { build } from 'esbuild';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';

const [target, outfile = path.join('dist', `${target}`, 'main.js')] = process.argv.slice(2);
if (!target) throw new Error('usage: node build/build-app.mjs apps/<name> | <entry>.ts <outfile>');
const bundlesPackages = process.env.CANVASS_BUNDLE_PACKAGES === 'true';

const common = { bundle: true, platform: 'node', target: 'node20', format: 'cjs', logLevel: 'warning' };

/** Names of packages, as the code imports them. */
const imported = new Set();
const packagesFile = `${outfile.replace(/\.js$/, '')}.packages.js`;

// The code finds its packages in the second file. That has no source map: Node keeps the whole map of a file
// in memory from the first stack trace on.
const packagesBeside = {
  name: 'packages beside the bundle',
  setup({ onResolve, onLoad }) {
    const file = `./${path.basename(packagesFile)}`;
    onResolve({ filter: /^[^./]/ }, ({ path: name, kind }) => {
      if (kind === 'entry-point' || isBuiltin(name) || name.startsWith('@canvass/')) return undefined;
      imported.add(name);
      return { path: name, namespace: 'package' };
    });
    onResolve({ filter: /^\.\/.*\.packages\.js$/ }, () => ({ path: file, external: true }));
    onLoad({ filter: /./, namespace: 'package' }, ({ path: name }) => ({
      contents: `module.exports = require(${JSON.stringify(file)})[${JSON.stringify(name)}]();`,
    }));
  },
};

const { metafile } = await build({
  ...common,
  entryPoints: [target.endsWith('.ts') ? target : path.join(target, 'src/main.ts')],
  outfile,
  sourcemap: true,
  // Own code without its texts is enough for a stack trace.
  sourcesContent: false,
  tsconfig: 'tsconfig.base.json',
  metafile: true,
  ...(bundlesPackages
    ? { plugins: [packagesBeside] }
    : // Packages come from node_modules, which a checkout has beside the bundle.
      { packages: 'external' }),
});

// A thread has its own file, with its packages.
for (const folder of new Set(Object.keys(metafile.inputs).map(path.dirname))) {
  if (!/^apps\//.test(folder)) continue;
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.thread.ts')) continue;
    const beside = path.join(path.dirname(outfile), name.replace(/\.ts$/, '.js'));
    const entryPoints = [path.join(folder, name)];
    await build({ ...common, entryPoints, outfile: beside, tsconfig: 'tsconfig.base.json' });
  }
}

if (imported.size > 0) {
  const members = [...imported].map((name) => {
    const text = JSON.stringify(name);
    return `${text}: () => require(${text})`;
  });
  await build({
    ...common,
    stdin: { contents: `module.exports = { ${members.join(',\n')} };`, resolveDir: '.' },
    outfile: packagesFile,
    external: [
      // A native add-on, which the image has in node_modules.
      'argon2',
      // Packages name them, but load them only where they are installed, which they are not.
      'better-sqlite3',
      'mariadb',
      'mysql',
      'mysql2',
      'oracledb',
      'pg-native',
      'sqlite3',
      'tedious',
    ],
  });
}

// Every package that is loaded at run time is a dependency: the image and the bill of materials have these.
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const externals = Object.values(metafile.outputs)
  .flatMap(({ imports }) => imports)
  .filter(({ external, path: name }) => external && !name.startsWith('.'));
for (const name of [...externals.map((each) => each.path), ...imported]) {
  const known = Object.keys(dependencies).some((each) => name === each || name.startsWith(`${each}/`));
  if (!known && !isBuiltin(name))
    throw new Error(`${outfile} needs ${name}: add it to the dependencies of package.json`);
}

// SQL files stand beside the code that reads them, so here beside the bundle.
for (const folder of new Set(Object.keys(metafile.inputs).map(path.dirname))) {
  if (!/^(apps|libs)\//.test(folder)) continue;
  for (const name of readdirSync(folder))
    if (name.endsWith('.sql') || name === 'functions')
      cpSync(path.join(folder, name), path.join(path.dirname(outfile), name), { recursive: true });
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
