import { runNode, SetupError } from '../infra';

/** Builds all apps through Nx, which skips what has not changed. Quiet unless it fails. */
export async function buildApps(): Promise<void> {
  const nx = require.resolve('nx/bin/nx.js');
  const { status, output } = await runNode([nx, 'run-many', '-t', 'build', '--output-style=static']);
  if (status !== 0) throw new SetupError(`${output.trim()}\nThe build failed: see the lines above.`);
}
