// Bundles one app into dist/<project root>/main.js, or one file into another, with its source map. Called by Nx.
import { build } from 'esbuild';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ownSourceMap } from './own-source-map.mjs';

const [target, outfile = path.join('dist', `${target}`, 'main.js')] = process.argv.slice(2);
if (!target) throw new Error('usage: node tools/build-app.mjs apps/<name> | <entry>.ts <outfile>');

await build({
  entryPoints: [target.endsWith('.ts') ? target : path.join(target, 'src/main.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  sourcemap: true,
  keepNames: true,
  tsconfig: 'tsconfig.base.json',
  logLevel: 'warning',
  // argon2 is a native addon and pg-native is optional; knex names drivers that are not installed.
  external: [
    ...['argon2', 'pg-native'],
    ...['better-sqlite3', 'sqlite3', 'mysql', 'mysql2', 'mariadb', 'mariadb/callback', 'tedious', 'oracledb'],
  ],
});

const map = `${outfile}.map`;
writeFileSync(map, JSON.stringify(ownSourceMap(JSON.parse(readFileSync(map, 'utf8')))));

// Files that the app reads when it runs: its own, and those of other folders that its assets.json names.
const assets = path.join(path.dirname(outfile), 'assets');
const own = path.join(target, 'assets');
if (existsSync(own)) cpSync(own, assets, { recursive: true });
const list = path.join(target, 'assets.json');
const others = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {};
for (const [folder, files] of Object.entries(others)) {
  for (const file of files) cpSync(path.join(folder, file), path.join(assets, file));
}
