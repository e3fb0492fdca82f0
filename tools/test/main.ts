import { chromiumBinary, killRunning, runCommand, startTestServers, stopTestServers } from '../infra';
import { changedFiles, commitMessages } from './commits';
import { jestStep, relatedSpecs } from './jest-step';
import { nearSpecs } from './near-specs';
import { circles, cspell, eslint, stepsOf, tsc, wholeTree, type Steps } from './static-steps';
import { runStep, wholeStep, type Finding, type StepResult } from './step';

const say = (line: string) => console.log(line);
const runMany = [require.resolve('nx/bin/nx.js'), 'run-many', '--output-style=static', '-t'];
const tsx = ['--import', 'tsx'];

/** A number above the two cores of CI, because specs often wait for Postgres and RabbitMQ. */
const componentWorkers = 3;

const withoutLong = ['--testPathIgnorePatterns=/node_modules/|[.]long[.]spec[.]ts$'];

/** Checks of the workspace with the proofs, which is not part of the product. */
const ofProofs: Steps = {
  'proofs: lint': [...eslint, '-c', 'quality/eslint.config.mjs', 'quality'],
  'proofs: types': [...tsc, 'quality/tsconfig.json'],
  'proofs: spelling': [...cspell, 'quality'],
  'proofs: import circles': [...circles, 'quality'],
};

/** `npm run check`: what the changes of this branch can make fail soon, and the tests near them. */
const changedOnly = process.argv.includes('--changed');
/** Also the specs named `.long`, and the tests of the whole product. */
const isWhole = process.argv.includes('--all');

/** A run that takes longer names what hangs and fails, before CI ends it without a word (90 minutes). */
const maxMinutes = 85;

/**
 * All that decides whether a change may be merged. No step keeps the next from running, unless it needs its
 * result.
 */
async function main(): Promise<number> {
  const results: StepResult[] = [];
  const running = new Set<string>();
  const step: Step = async (name, find) => {
    running.add(name);
    const result = await runStep(name, find, say);
    running.delete(name);
    results.push(result);
    return result.failed === 0;
  };
  const limit = setTimeout(() => {
    say(`Not finished after ${maxMinutes} minutes: ${[...running].join(', ')}`);
    killRunning();
    process.exit(1);
  }, maxMinutes * 60_000);
  limit.unref();
  // The servers boot while the steps that need none of them run.
  const servers: Promise<NodeJS.ProcessEnv> = startTestServers(say);
  servers.catch(() => undefined); // reported by the step that needs them
  if (isWhole) chromiumBinary(say).catch(() => undefined); // reported by the tests of the console

  const changed = changedOnly ? changedFiles() : null;
  const { first, generated, sides } = changed === null ? wholeTree : stepsOf(changed);
  await wholeSteps(step, first);
  await step('commit messages', commitMessages);
  await wholeSteps(step, generated);
  await Promise.all(sides.map((steps) => wholeSteps(step, steps)));
  await step('unit, component and broker tests', async () =>
    changed === null
      ? jestStep('jest.config.js', await servers, componentWorkers, isWhole ? [] : withoutLong)
      : nearTests(changed, await servers),
  );
  if (isWhole) await wholeProductSteps(step, servers);
  if (process.env['CI']) await stopTestServers();

  const sum = (count: 'passed' | 'failed') => results.reduce((total, result) => total + result[count], 0);
  say(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') === 0 ? 0 : 1;
}

/** The tests near a change. How many files of tests are left is a note. */
async function nearTests(changed: readonly string[], env: NodeJS.ProcessEnv): Promise<Finding> {
  const related = await relatedSpecs('jest.config.js', changed);
  const near = nearSpecs(changed, related);
  if (near.length === 0) return { passed: 0, failed: 0, output: '' };
  const selection = ['--runTestsByPath', ...near];
  const found = await jestStep('jest.config.js', env, componentWorkers, selection);
  const left = related.length - near.length;
  const note = `${left} files of tests that import what changed are left to npm test`;
  return left === 0 ? found : { ...found, notes: [...(found.notes ?? []), note] };
}

type Step = (name: string, find: () => Promise<Finding>) => Promise<boolean>;

/** Steps that are right or wrong as a whole, one after another. */
async function wholeSteps(step: Step, steps: Steps): Promise<void> {
  for (const [name, args] of Object.entries(steps)) await step(name, () => wholeStep(args));
}

/**
 * The steps that need the built product. The tests of the console and of the API run side by side, because
 * each leaves processor time unused. Each has its own stack.
 */
async function wholeProductSteps(step: Step, servers: Promise<NodeJS.ProcessEnv>): Promise<void> {
  const endToEnd = async (selection: string) =>
    jestStep('apps/e2e/jest.config.js', await servers, 1, [selection]);
  await wholeSteps(step, ofProofs);
  await step('proofs: tests', async () =>
    jestStep('quality/jest.config.js', await servers, componentWorkers),
  );
  const isBuilt = await step('build', () => wholeStep([...runMany, 'build']));
  if (!isBuilt) say('---- end to end (not run: the build failed)');
  if (isBuilt)
    await Promise.all([
      step('end to end: console', () => endToEnd('--testPathPatterns=/test/console')),
      step('end to end: API', () => endToEnd('--testPathIgnorePatterns=/test/console')),
    ]);
  // Not beside the tests of the console, which then wait too long for their pages.
  await step('containers', () => wholeStep([...tsx, 'quality/proofs/compose/main.ts', '--short']));
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
