import { spawn } from 'node:child_process';
import { checkoutDir } from './checkout';

const running = new Set<number>();

/** Ends the commands that run now, with all they started. */
export function killRunning(): void {
  for (const pid of running) {
    try {
      process.kill(-pid, 'SIGTERM');
    } catch {
      // It has just ended.
    }
  }
}

/** What a program left running may hold its output open. Then the rest is not waited for longer. */
const restOfOutputMs = 5_000;

/**
 * Runs a Node program in the checkout; resolves with its status and everything it printed. A hanging one is
 * ended.
 */
export function runNode(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  minutes = 30,
): Promise<{ status: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: checkoutDir,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        NX_DAEMON: 'false',
        NX_TUI: 'false',
        NX_NO_CLOUD: 'true',
        FORCE_COLOR: '0',
        ...env,
      },
    });
    const { pid } = child;
    if (pid !== undefined) running.add(pid);
    let output = '';
    const limit = setTimeout(() => {
      output += `\nNot finished after ${minutes} minutes: ended.\n`;
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    }, minutes * 60_000);
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(limit);
      if (pid !== undefined) running.delete(pid);
      const finish = () => resolve({ status: code ?? 1, output });
      const rest = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        finish();
      }, restOfOutputMs);
      child.once('close', () => {
        clearTimeout(rest);
        finish();
      });
    });
  });
}
