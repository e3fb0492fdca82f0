import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const checkout = path.join(__dirname, '../../..');
const library = path.join(__dirname, '..');
const examples = path.join(checkout, 'docs/examples/extensions');
const isModule = (name: string) => /\.[cm]js$/.test(name);
const read = (...file: string[]) => readFileSync(path.join(...file), 'utf8');

/** The project of an author of extensions: the packed library in its node_modules, and the examples. */
const project = mkdtempSync(path.join(tmpdir(), 'extensions-'));

/** The output of the compiler for the project, which checks declaration files, too. */
function compile(...options: string[]): string {
  const tsc = require.resolve('typescript/bin/tsc');
  const typeRoots = path.join(checkout, 'node_modules/@types');
  const { stdout, error } = spawnSync(
    process.execPath,
    [tsc, '--noEmit', '--skipLibCheck', 'false', '--typeRoots', typeRoots, ...options],
    { cwd: project, encoding: 'utf8' },
  );
  if (error) throw error;
  return stdout;
}

beforeAll(() => {
  execFileSync('npm', ['pack', library, '--pack-destination', project, '--offline'], {
    cwd: project,
    stdio: 'pipe',
  });
  const [packed = ''] = readdirSync(project);
  const target = path.join(project, 'node_modules/@canvass/extensions');
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', path.join(project, packed), '-C', target, '--strip-components=1']);
  cpSync(examples, project, { recursive: true });
});
afterAll(() => rmSync(project, { recursive: true }));

describe('the package @canvass/extensions', () => {
  it('contains only types, has no dependencies and has the version of Canvass', () => {
    const files = readdirSync(path.join(project, 'node_modules/@canvass/extensions'), { recursive: true });
    expect(
      files.map(String).filter((name) => /\.[a-z]*[jt]s$/.test(name) && !name.endsWith('.d.ts')),
    ).toEqual([]);
    const manifest = JSON.parse(read(library, 'package.json')) as Record<string, unknown>;
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
    const canvass = JSON.parse(read(checkout, 'package.json')) as Record<string, unknown>;
    expect(manifest['version']).toBe(canvass['version']);
  });

  it('types the examples', () => {
    expect(compile('-p', '.')).toBe('');
  });

  it('reports type errors in extensions', () => {
    const faults: [file: string, right: string, wrong: string, says: string][] = [
      ['badge-extractor.mjs', 'displayId:', 'displayName:', "Property 'displayId' is missing"],
      ['pseudonym-resolver.cjs', 'resolve({', 'resolved({', "'resolved' does not exist"],
      ['directory-check.mjs', "'Degraded', description", "'Poor', description", `'"Poor"' is not assignable`],
      ['health-json-writer.cjs', 'contentType:', 'type:', "'type' does not exist"],
    ];
    const folder = path.join(project, 'wrong');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'tsconfig.json'), read(examples, 'tsconfig.json'));
    for (const [file, right, wrong] of faults) {
      writeFileSync(
        path.join(folder, file),
        read(examples, file).replace(right, () => wrong),
      );
    }
    const output = compile('-p', 'wrong');
    for (const [file, , , says] of faults) expect(output).toMatch(new RegExp(`wrong/${file}[^]*${says}`));
  });

  it('needs no platform types', () => {
    const folder = path.join(project, 'plain');
    mkdirSync(folder);
    const compilerOptions = {
      strict: true,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2022'],
      types: [],
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    writeFileSync(
      path.join(folder, 'check.mts'),
      `import type { HealthCheck } from '@canvass/extensions';
       export const healthCheck: HealthCheck = {
         name: 'plain', tags: [], check: ({ aborted }) => ({ status: aborted ? 'Unhealthy' : 'Healthy' }),
       };`,
    );
    expect(compile('-p', 'plain')).toBe('');
  });
});

describe('docs/extending.md', () => {
  const page = read(checkout, 'docs/extending.md');
  const files = readdirSync(examples);

  it.each(files)('links %s', (name) => {
    expect(page).toContain(`](examples/extensions/${name})`);
  });

  it('the Kubernetes component contains every module', () => {
    const listed = [...read(examples, 'kustomization.yaml').matchAll(/^ {6}- (.*)$/gm)].map(
      ([, name]) => name,
    );
    expect(listed.sort()).toEqual(files.filter(isModule));
  });
});
