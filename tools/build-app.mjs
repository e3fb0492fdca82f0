// Bundles one app into dist/<project root>/main.js, with its source map. Called by `nx build`.
import { build } from 'esbuild';
import path from 'node:path';

const [projectRoot] = process.argv.slice(2);
if (!projectRoot) throw new Error('usage: node tools/build-app.mjs apps/<name>');

await build({
  entryPoints: [path.join(projectRoot, 'src/main.ts')],
  outfile: path.join('dist', projectRoot, 'main.js'),
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
