import { chromiumBinary, killRunning, runCommand, startTestServers, stopTestServers } from '../infra';
import { branchPoint, commitMessages } from './commits';
import { jestStep } from './jest-step';
import { runStep, wholeStep, type Finding, type StepResult } from './step';

const say = (line: string) => console.log(line);
const nx = require.resolve('nx/bin/nx.js');
const run = [nx, 'run', '--output-style=static'];
const runMany = [nx, 'run-many', '--output-style=static', '-t'];
const tsc = ['node_modules/typescript/bin/tsc', '-p'];
const tsx = ['--import', 'tsx'];
const folders = ['apps', 'libs', 'tools', 'build', 'deploy'];
const eslint = 'node_modules/eslint/bin/eslint.js';
const cspell = ['node_modules/cspell/bin.mjs', 'lint', '--no-progress', '--dot'];
const circles = ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', '-T', 'err'];

/** A number above the two cores of CI, because specs often wait for Postgres and RabbitMQ. */
const componentWorkers = 3;

type Steps = Record<string, string[]>;

/** Steps that write files, with programs and arguments. Steps that read the work tree run after them. */
const generated: Steps = {
  // What the gateway serves, and what clients of the API are typed by.
  'OpenAPI document': [...run, 'build:openapi'],
  // Dead links end its build.
  'site of the documents': [...run, 'build:site'],
};

/** Steps that read the work tree. Each uses one core, so the two groups run side by side. */
const staticSteps: [Steps, Steps] = [
  {
    lint: [...run, 'lint-fences:lint-all'],
    'types (tsconfig.json)': [...tsc, 'tsconfig.json'],
    'types (apps/console/tsconfig.json)': [...tsc, 'apps/console/tsconfig.json'],
    'types (apps/e2e/tsconfig.json)': [...tsc, 'apps/e2e/tsconfig.json'],
    'types (build/site/tsconfig.json)': [...tsc, 'build/site/tsconfig.json'],
  },
  {
    format: ['node_modules/prettier/bin/prettier.cjs', '--check', '.'],
    spelling: [...cspell, '--exclude', 'quality', '.'],
    secrets: ['node_modules/secretlint/bin/secretlint.js', '**/*'],
    'import circles': [...circles, ...folders],
    'unused code': ['node_modules/knip/bin/knip.js'],
  },
];

/** Checks of the workspace with the proofs, which is not part of the product. */
const ofProofs: Steps = {
  'proofs: lint': [eslint, '--max-warnings', '0', '-c', 'quality/eslint.config.mjs', 'quality'],
  'proofs: types': [...tsc, 'quality/tsconfig.json'],
  'proofs: spelling': [...cspell, 'quality'],
  'proofs: import circles': [...circles, 'quality'],
};

/** `npm run check`: what is static, and the tests that the changes of this branch can affect. */
const changedOnly = process.argv.includes('--changed');
/** Also the tests of the whole product, which take longer than the rest together. */
const isWhole = process.argv.includes('--all');

/**
 * All that decides whether a change may be merged. No step keeps the next from running, unless it needs its
 * result.
 */
async function main(): Promise<number> {
  const results: StepResult[] = [];
  const step: Step = async (name, find) => {
    const result = await runStep(name, find, say);
    results.push(result);
    return result.failed === 0;
  };
  // The servers boot while the steps that need none of them run.
  const servers: Promise<NodeJS.ProcessEnv> = startTestServers(say);
  servers.catch(() => undefined); // reported by the step that needs them
  if (isWhole) chromiumBinary(say).catch(() => undefined); // reported by the tests of the console

  await step('commit messages', commitMessages);
  await wholeSteps(step, generated);
  await Promise.all(staticSteps.map((steps) => wholeSteps(step, steps)));
  const changedSince = changedOnly ? branchPoint() : null;
  await step('unit, component and broker tests', async () =>
    jestStep('jest.config.js', await servers, componentWorkers, { changedSince }),
  );
  if (isWhole) await wholeProductSteps(step, servers);
  if (process.env['CI']) await stopTestServers();

  const sum = (count: 'passed' | 'failed') => results.reduce((total, result) => total + result[count], 0);
  say(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') === 0 ? 0 : 1;
}

type Step = (name: string, find: () => Promise<Finding>) => Promise<boolean>;

/** Steps that are right or wrong as a whole, one after another. */
async function wholeSteps(step: Step, steps: Steps): Promise<void> {
  for (const [name, args] of Object.entries(steps)) await step(name, () => wholeStep(args));
}

/**
 * The steps that need the built product. Two groups run side by side, because each leaves processor time
 * unused: tests of the console wait for the browser, and containers for downloads. Each group has its own stack.
 */
async function wholeProductSteps(step: Step, servers: Promise<NodeJS.ProcessEnv>): Promise<void> {
  const endToEnd = async (selection: string) =>
    jestStep('apps/e2e/jest.config.js', await servers, 1, { selection: [`${selection}=/test/console`] });
  await wholeSteps(step, ofProofs);
  await step('proofs: tests', async () =>
    jestStep('quality/jest.config.js', await servers, componentWorkers),
  );
  const isBuilt = await step('build', () => wholeStep([...runMany, 'build']));
  if (!isBuilt) say('---- end to end (not run: the build failed)');
  await Promise.all([
    isBuilt && step('end to end: console', () => endToEnd('--testPathPatterns')),
    (async () => {
      if (isBuilt) await step('end to end: API', () => endToEnd('--testPathIgnorePatterns'));
      await step('containers', () => wholeStep([...tsx, 'quality/proofs/compose/main.ts', '--short']));
    })(),
  ]);
  if (isBuilt) {
    await step('short chaos run', () => wholeStep([...tsx, 'quality/chaos/main.ts', '--short']));
    await step('short rolling restart', () =>
      wholeStep([...tsx, 'quality/proofs/rolling/main.ts', '--short']),
    );
  }
  await step('deployment files', () => wholeStep([...tsx, 'deploy/checks/validate.ts']));
}

for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => {
    killRunning();
    process.exit(status);
  });
}
runCommand(process.argv.includes('--stop') ? () => stopTestServers().then(() => 0) : main);
