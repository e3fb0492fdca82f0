/**
 * `npx nx run client:package` writes `dist/libs/client`, which `npm publish` takes: one ECMAScript module and
 * its declarations. The version is that of the project.
 */
import { build } from 'esbuild';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.join(__dirname, '..');
const source = path.join(root, 'libs/client');

/** @param target folder of the package; it is written anew */
export async function packageClient(target: string): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(path.join(target, 'dist'), { recursive: true });
  await build({
    entryPoints: [path.join(source, 'src/index.ts')],
    outfile: path.join(target, 'index.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    packages: 'external',
    logLevel: 'warning',
  });
  declarations(path.join(target, 'src'));
  cpSync(path.join(source, 'dist/api.d.mts'), path.join(target, 'dist/api.d.mts'));
  cpSync(path.join(source, 'README.md'), path.join(target, 'README.md'));
  cpSync(path.join(root, 'LICENSE'), path.join(target, 'LICENSE'));
  const { version } = readJson(path.join(root, 'package.json'));
  const manifest = { ...readJson(path.join(source, 'package.json')), version, type: 'module' };
  writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function declarations(outDir: string): void {
  const { options } = ts.convertCompilerOptionsFromJson(
    readJson(path.join(root, 'tsconfig.base.json'))['compilerOptions'],
    root,
  );
  const program = ts.createProgram([path.join(source, 'src/index.ts')], {
    ...options,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    declaration: true,
    emitDeclarationOnly: true,
    outDir,
    rootDir: path.join(source, 'src'),
  });
  const { diagnostics } = program.emit();
  const all = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (all.length > 0) throw new Error(ts.formatDiagnostics(all, ts.createCompilerHost(options)));
  for (const file of readdirSync(outDir)) {
    const text = readFileSync(path.join(outDir, file), 'utf8');
    // Node's resolution needs the extension, which the sources do not have.
    writeFileSync(path.join(outDir, file), text.replace(/(from '\.\/[\w-]+)'/g, "$1.js'"));
  }
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;

if (require.main === module)
  packageClient(path.join(root, 'dist/libs/client')).catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
