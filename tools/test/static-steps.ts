/** Steps by name: programs of Node with their arguments. */
export type Steps = Record<string, readonly string[]>;

/** The steps that are right or wrong as a whole and need no servers. */
export interface StaticSteps {
  /** Takes seconds, so it comes before all others. */
  first: Steps;
  /** They write files. Steps that read the work tree run after them. */
  generated: Steps;
  /** Each side uses one core, so they run side by side. */
  sides: readonly Steps[];
}

const nx = require.resolve('nx/bin/nx.js');
const run = [nx, 'run', '--output-style=static'];
export const tsc = ['node_modules/typescript/bin/tsc', '-p'];
export const eslint = ['node_modules/eslint/bin/eslint.js', '--max-warnings', '0'];
export const cspell = ['node_modules/cspell/bin.mjs', 'lint', '--no-progress', '--dot'];
export const circles = ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', '-T', 'err'];
const folders = ['apps', 'libs', 'tools', 'build', 'deploy'];
const prettier = ['node_modules/prettier/bin/prettier.cjs', '--check'];
const secretlint = ['node_modules/secretlint/bin/secretlint.js'];

/** What the gateway serves, and what clients of the API are typed by. */
const openApi: Steps = { 'OpenAPI document': [...run, 'build:openapi'] };
/** Dead links end its build. */
const site: Steps = { 'site of the documents': [...run, 'build:site'] };
const types: Steps = {
  'types (tsconfig.json)': [...tsc, 'tsconfig.json'],
  'types (apps/console/tsconfig.json)': [...tsc, 'apps/console/tsconfig.json'],
  'types (apps/e2e/tsconfig.json)': [...tsc, 'apps/e2e/tsconfig.json'],
  'types (build/site/tsconfig.json)': [...tsc, 'build/site/tsconfig.json'],
};
const imports: Steps = {
  'import circles': [...circles, ...folders],
  'unused code': ['node_modules/knip/bin/knip.js'],
};

/** The steps over the whole work tree. */
export const wholeTree: StaticSteps = {
  first: {},
  generated: { ...openApi, ...site },
  sides: [
    { lint: [...run, 'lint-fences:lint-all'], ...types },
    {
      format: [...prettier, '.'],
      spelling: [...cspell, '--exclude', 'quality', '.'],
      secrets: [...secretlint, '**/*'],
      ...imports,
    },
  ],
};

/** A change of these can make any other file wrong. */
const concernsAll =
  /^(package(-lock)?\.json|nx\.json|cspell\.json|eslint\.config\.mjs|tsconfig[\w.]*|\.\w+rc\.json)$/;
const isOfSite = /\.md$|^(docs|examples|deploy\/observability|build\/site)\//;
/** The proofs have a configuration of their own, which `npm test -- --all` uses. */
const isLinted = /^(?!quality\/(?!lint\/)).*\.([cm]?[jt]s|tsx)$/;
const isSpelled = /^(?!quality\/)/;

/**
 * The steps that a change of files can make fail. What is judged file by file is judged of these only; types and
 * imports depend on other files, and are judged as a whole.
 *
 * @param changed paths within the work tree of files that exist
 */
export function stepsOf(changed: readonly string[]): StaticSteps {
  if (changed.some((file) => concernsAll.test(file))) return wholeTree;
  const of = (name: string, program: readonly string[], files: readonly string[]): Steps =>
    files.length === 0 ? {} : { [name]: [...program, ...files] };
  const [linted, spelled] = [isLinted, isSpelled].map((rule) => changed.filter((file) => rule.test(file)));
  return {
    first: of('format of what changed', [...prettier, '--ignore-unknown'], changed),
    generated: { ...openApi, ...(changed.some((file) => isOfSite.test(file)) ? site : {}) },
    sides: [
      types,
      {
        // Nx has just made its graph of the projects, without which the fences pass everything.
        ...of('lint of what changed', [...eslint, '--no-warn-ignored'], linted!),
        ...of('spelling of what changed', [...cspell, '--no-must-find-files'], spelled!),
        ...of('secrets in what changed', secretlint, changed),
        ...imports,
      },
    ],
  };
}
