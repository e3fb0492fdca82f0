import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runNode } from '../infra';

/** Runs `npm run ops -- …` where no stack runs. */
async function ops(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const dir = mkdtempSync(path.join(tmpdir(), 'canvass-no-stack-'));
  try {
    const program = ['--import', 'tsx', path.join(__dirname, 'main.ts')];
    return await runNode([...program, ...args], { CANVASS_STACK_DIR: dir, ...env }, 2);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

test.each([[['keys']], [['deliveries', 'list', '--failed']], [['--help']]])(
  'says that no stack runs here: ops %j',
  async (args) => {
    const { status, output } = await ops(args);
    expect([status, output]).toEqual([3, expect.stringMatching(/^Canvass does not run here: .*\n$/)]);
  },
);

test('takes the configuration of the environment where no stack runs', async () => {
  const { status, output } = await ops(['keys'], { Service__Database__Url: 'postgres://127.0.0.1:1/x' });
  expect(status).not.toBe(0);
  expect(output).not.toContain('does not run here');
});
