import { joinServers, killRunning, leaveServers, runCommand } from '../infra';
import { abandonServersOnSignal } from '../infra/shared-servers';
import { branchPoint, commitMessages } from './commits';
import { jestStep } from './jest-step';
import { runStep, wholeStep, type Finding, type StepResult } from './step';

const say = (line: string) => console.log(line);
const nx = require.resolve('nx/bin/nx.js');
const folders = ['apps', 'libs', 'tools', 'build', 'quality', 'deploy'];
const runMany = (target: string) => wholeStep([nx, 'run-many', '-t', target, '--output-style=static']);

/** `npm run check`: what is static, and the tests that the changes of this branch can affect. */
const changedOnly = process.argv.includes('--changed');

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
  const servers = testServers();
  servers.catch(() => undefined); // reported by the step that needs them

  await step('format', () => wholeStep([require.resolve('prettier/bin/prettier.cjs'), '--check', '.']));
  await step('spelling', () =>
    wholeStep(['node_modules/cspell/bin.mjs', 'lint', '--no-progress', '--dot', '.']),
  );
  await step('commit messages', commitMessages);
  // What the gateway serves, and what clients of the API are typed by.
  await step('OpenAPI document', () => wholeStep([nx, 'run', 'build:openapi', '--output-style=static']));
  await step('lint', () => wholeStep([nx, 'run', 'lint-fences:lint-all', '--output-style=static']));
  await step('import circles', () =>
    wholeStep(['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', '-T', 'err', ...folders]),
  );
  await step('unused code', () => wholeStep(['node_modules/knip/bin/knip.js']));
  for (const project of ['tsconfig.json', 'apps/e2e/tsconfig.json']) {
    await step(`types (${project})`, () => wholeStep([require.resolve('typescript/bin/tsc'), '-p', project]));
  }
  const changedSince = changedOnly ? branchPoint() : null;
  await step('unit, component and broker tests', async () =>
    jestStep('jest.config.js', await servers, 2, changedSince),
  );
  if (!changedOnly) await wholeProductSteps(step, servers);
  await leaveServers();

  const sum = (count: 'passed' | 'failed') => results.reduce((total, result) => total + result[count], 0);
  say(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') === 0 ? 0 : 1;
}

type Step = (name: string, find: () => Promise<Finding>) => Promise<boolean>;

/** The steps that need the built product. */
async function wholeProductSteps(step: Step, servers: Promise<NodeJS.ProcessEnv>): Promise<void> {
  const built = await step('build', () => runMany('build'));
  if (built) await step('end to end', async () => jestStep('apps/e2e/jest.config.js', await servers, 1));
  else say('---- end to end (not run: the build failed)');
  if (built)
    await step('short chaos run', () => wholeStep(['--import', 'tsx', 'quality/chaos/main.ts', '--short']));
  if (built)
    await step('short rolling restart', () =>
      wholeStep(['--import', 'tsx', 'quality/proofs/rolling/main.ts', '--short']),
    );
  await step('deployment files', () => wholeStep(['--import', 'tsx', 'deploy/checks/validate.ts']));
}

async function testServers(): Promise<NodeJS.ProcessEnv> {
  if (process.env['TEST_DATABASE_URL'] && process.env['TEST_AMQP_URL']) return {};
  return { ...(await joinServers(say)) };
}

abandonServersOnSignal(killRunning);
runCommand(main);
