import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { checkoutDir, SetupError } from '@canvass/infra';
import type { ServiceName } from '@canvass/stack';

/** A build of another commit, in `.local/builds`, made once. */
export interface EarlierBuild {
  commit: string;
  /** Its checkout. */
  dir: string;
  /** Folder of the bundle of a service. */
  bundleOf(service: ServiceName): string;
}

/**
 * Builds the services of another commit in a clone of its own. Dependencies are those of this checkout if
 * both have the same lock file.
 *
 * @param ref of git; null for the newest tag
 * @throws {SetupError} if there is no such commit, or its build fails
 */
export function buildOf(ref: string | null): EarlierBuild {
  const wanted = ref ?? run('git', ['describe', '--tags', '--abbrev=0'], checkoutDir).trim();
  const commit = run('git', ['rev-parse', '--verify', `${wanted}^{commit}`], checkoutDir).trim();
  const dir = path.join(checkoutDir, '.local/builds', commit.slice(0, 12));
  const build = { commit, dir, bundleOf: (service: ServiceName) => path.join(dir, 'dist/apps', service) };
  if (existsSync(path.join(dir, 'built'))) return build;
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(path.dirname(dir), { recursive: true });
  // A clone, not a worktree: nothing is left in the checkout when the folder is deleted.
  run('git', ['clone', '--quiet', '--no-checkout', checkoutDir, dir], checkoutDir);
  run('git', ['checkout', '--quiet', commit], dir);
  const lockOf = (folder: string) => readFileSync(path.join(folder, 'package-lock.json'), 'utf8');
  if (lockOf(dir) === lockOf(checkoutDir))
    symlinkSync(path.join(checkoutDir, 'node_modules'), path.join(dir, 'node_modules'));
  else run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], dir);
  run(process.execPath, [require.resolve('nx/bin/nx.js'), 'run-many', '-t', 'build'], dir);
  run('touch', ['built'], dir);
  return build;
}

function run(command: string, args: string[], cwd: string): string {
  const env = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false', NX_WORKSPACE_ROOT_PATH: cwd };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new SetupError(`${command} ${args.join(' ')} failed: ${(stderr || stdout).trim().slice(-2_000)}`);
}
