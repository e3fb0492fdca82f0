import { spawn } from 'node:child_process';
import { checkoutDir } from '../infra';

/** How one step of `npm test` ended. */
export interface StepResult {
  name: string;
  passed: number;
  failed: number;
  /** All it printed; shown when something failed. */
  output: string;
  milliseconds: number;
}

/** What a step found; its output and duration are added by `runStep`. */
export interface Finding {
  passed: number;
  failed: number;
  output: string;
}

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
    child.once('close', (code) => {
      clearTimeout(limit);
      if (pid !== undefined) running.delete(pid);
      resolve({ status: code ?? 1, output });
    });
  });
}

/** A step that is right or wrong as a whole: it counts as one. */
export async function wholeStep(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Finding> {
  const { status, output } = await runNode(args, env);
  return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, output };
}

/** Runs a step and prints its name, result and duration; its output only if it failed. */
export async function runStep(
  name: string,
  find: () => Promise<Finding>,
  say: (line: string) => void,
): Promise<StepResult> {
  const started = Date.now();
  const finding = await find().catch((error: unknown) => ({
    passed: 0,
    failed: 1,
    output: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }));
  const result = { name, ...finding, milliseconds: Date.now() - started };
  const seconds = (result.milliseconds / 1000).toFixed(1);
  if (result.failed > 0) say(`\n${result.output.trimEnd()}\n`);
  const count = result.passed + result.failed > 1 ? `, ${result.passed} passed, ${result.failed} failed` : '';
  say(`${result.failed > 0 ? 'FAIL' : 'ok  '} ${name} (${seconds} s${count})`);
  return result;
}
