import { runNode } from './run-node';

describe('runNode', () => {
  it('returns the status and the output', async () => {
    const found = await runNode(['-e', 'console.log("out"); console.error("err"); process.exitCode = 3']);
    expect(found.status).toBe(3);
    expect(found.output.split('\n').sort()).toEqual(['', 'err', 'out']);
  });

  it('does not wait for what the program left running, which holds its output open', async () => {
    const sleeper = `spawn(process.execPath, ['-e', 'setTimeout(() => {}, 120000)'], { stdio: 'inherit', detached: true })`;
    const program = `const { spawn } = require('node:child_process'); const { pid } = ${sleeper}; console.log(pid); process.exit(0)`;
    const { status, output } = await runNode(['-e', program]);
    expect(status).toBe(0);
    process.kill(Number(output), 'SIGKILL'); // throws unless it runs still
  });
});
