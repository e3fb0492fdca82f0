import { runNode, SetupError } from '../infra';

/** Builds all apps through Nx, which skips what has not changed. Quiet unless it fails. */
export async function buildApps(): Promise<void> {
  const nx = require.resolve('nx/bin/nx.js');
  const { status, output } = await runNode([nx, 'run-many', '-t', 'build', '--output-style=static']);
  if (status === 0) return;
  const hint = /permission denied|EACCES/i.test(output)
    ? 'Files of an earlier build belong to another user: remove .nx/ and dist/ as that user, or run as that user.'
    : 'The build failed: see the lines above.';
  throw new SetupError(`${output.trim()}\n${hint}`);
}
