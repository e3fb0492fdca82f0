import { spawn } from 'node:child_process';
import { checkoutDir, SetupError } from '../infra';

/** Builds all apps through Nx, which skips what has not changed. Quiet unless it fails. */
export async function buildApps(): Promise<void> {
  const { status, output } = await runNx(['run-many', '-t', 'build', '--output-style=static']);
  if (status !== 0) throw new SetupError(`${output.trim()}\nThe build failed: see the lines above.`);
}

/** Runs nx without its daemon and without a terminal; resolves with its exit status and all it printed. */
function runNx(args: readonly string[]): Promise<{ status: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [require.resolve('nx/bin/nx.js'), ...args], {
      cwd: checkoutDir,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true' },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ status: code ?? 1, output }));
  });
}
