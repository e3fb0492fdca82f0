import { execFileSync } from 'node:child_process';
import { checkoutDir } from '../infra';
import { wholeStep, type Finding } from './step';

/** The commit from which on messages follow the rules; older ones are not judged. */
const base = '3d4b0f0c910413caf0f03f4ba724ab1d6f4ab2ce';

/** The messages since `base`; of a shallow clone without it, that of HEAD. Without a repository there are none. */
export async function commitMessages(): Promise<Finding> {
  const newest = git('rev-parse', 'HEAD');
  if (newest === null) return { passed: 1, failed: 0, output: '' };
  const common = git('merge-base', base, 'HEAD');
  const range = common === base && newest !== base ? ['--from', base, '--to', 'HEAD'] : ['--last'];
  const commitlint = 'node_modules/@commitlint/cli/cli.js';
  return wholeStep([commitlint, '--config', 'quality/lint/commit-message.mjs', ...range]);
}

/**
 * The files that differ from the commit where this branch left `main`, committed or not, and are not deleted. Null
 * without a repository.
 */
export function changedFiles(): string[] | null {
  const base = branchPoint();
  if (base === null) return null;
  const names = [
    git('diff', '--name-only', '--diff-filter=d', base),
    git('ls-files', '--others', '--exclude-standard'),
  ];
  return names.flatMap((text) => text?.split('\n') ?? []).filter((name) => name !== '');
}

/** HEAD on `main` itself. Null without a repository. */
function branchPoint(): string | null {
  return (
    git('merge-base', 'main', 'HEAD') ?? git('merge-base', 'origin/main', 'HEAD') ?? git('rev-parse', 'HEAD')
  );
}

/** Returns what git prints, or null if it fails. */
function git(...args: string[]): string | null {
  try {
    const output = execFileSync('git', args, { cwd: checkoutDir, stdio: ['ignore', 'pipe', 'ignore'] });
    return output.toString('utf8').trim();
  } catch {
    return null;
  }
}
